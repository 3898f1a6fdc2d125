package io.forebay.server.cli.group;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GroupResetCommandTest {

    @Test
    void groupThatIsNotThereIsOnlyMadeOnPurpose() {
        assertThatThrownBy(() -> GroupResetCommand.requireThatItCanBeMade("x", List.of(), Optional.empty()))
                .hasMessageStartingWith("there is no group 'x'")
                .hasMessageContaining("--topic");
        assertThatThrownBy(() -> GroupResetCommand.requireThatItCanBeMade("x", List.of("t"), Optional.of(3L)))
                .hasMessageStartingWith("there is no group 'x'");
        assertThatCode(() -> GroupResetCommand.requireThatItCanBeMade("x", List.of("t"), Optional.empty()))
                .doesNotThrowAnyException();
    }
}

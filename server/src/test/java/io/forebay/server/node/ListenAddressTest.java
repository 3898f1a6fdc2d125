package io.forebay.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.server.cli.NodeStartException;
import io.forebay.server.config.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class ListenAddressTest {

    @Test
    void aPortInUseIsNamedWithWhatToDo() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> ListenAddress.freePort(new HostPort("127.0.0.1", other.getLocalPort())))
                    .isInstanceOf(NodeStartException.class)
                    .hasMessage("port " + other.getLocalPort()
                            + " on 127.0.0.1 is in use by another process: choose another with --listen");
        }
    }

    @Test
    void aHostThatIsNotKnownIsNamed() {
        assertThatThrownBy(() -> ListenAddress.freePort(new HostPort("no-such-host.invalid", 9092)))
                .hasMessage("host 'no-such-host.invalid' is not known: check --listen");
    }

    @Test
    void anAddressOfAnotherMachineIsNamed() {
        assertThatThrownBy(() -> ListenAddress.freePort(new HostPort("192.0.2.1", 0)))
                .hasMessage("this machine has no address '192.0.2.1' to listen on: check --listen");
    }

    @Test
    void anyPortIsARealOne() throws NodeStartException {
        assertThat(ListenAddress.freePort(new HostPort("127.0.0.1", 0))).isPositive();
    }
}

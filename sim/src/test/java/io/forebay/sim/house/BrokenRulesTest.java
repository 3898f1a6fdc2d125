package io.forebay.sim.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.forebay.sim.house.broken.log.EdgeCaller;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule fails on a class that breaks it. The classes lie in rooms of their own, below {@code broken}. */
class BrokenRulesTest {

    private static final Rooms BROKEN = new Rooms("io.forebay.sim.house.broken");

    private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(BROKEN.root());

    @Test
    void failsOnARoomThatSeesAForbiddenOne() {
        assertThat(violations(BROKEN.direction("log"))).anyMatch(line -> line.contains("broken.broker.SeenByLog"));
        assertThat(violations(BROKEN.direction("broker"))).anyMatch(line -> line.contains("broken.testkit.Fake"));
    }

    @Test
    void failsOnARoomThatIsNotInTheTable() {
        assertThat(violations(BROKEN.direction("cellar"))).anyMatch(line -> line.contains("broken.log.EdgeCaller"));
        assertThat(Rooms.known()).doesNotContain("cellar");
    }

    @Test
    void failsOnACycle() {
        assertThat(violations(BROKEN.noCycles()))
                .anyMatch(line -> line.contains("Slice broker") && line.contains("Slice log"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"com.google.protobuf", "org.apache.kafka", "io.netty", "io.grpc", "picocli"})
    void failsOnALibraryOutsideItsRooms(String library) {
        List<String> lines = BROKEN.libraries().stream()
                .filter(rule -> rule.getDescription().contains(library))
                .flatMap(rule -> rule.evaluate(CLASSES).getFailureReport().getDetails().stream())
                .toList();

        assertThat(lines).isNotEmpty();
    }

    @Test
    void failsOnALibraryInAnotherPackageOfItsRoom() {
        List<String> lines = BROKEN.libraries().stream()
                .filter(rule -> rule.getDescription().contains("io.grpc"))
                .flatMap(rule -> violations(rule).stream())
                .toList();

        assertThat(lines).anyMatch(line -> line.contains("broken.cluster.KnowsTheNetwork"));
        assertThat(lines).noneMatch(line -> line.contains("broken.cluster.transport"));
    }

    @Test
    void failsOnKafkaInternalsOutsideTheirAdapter() {
        assertThat(violations(BROKEN.kafkaInternals(Set.of("broker.groups"), Set.of())))
                .anyMatch(line -> line.contains("broken.broker.KnowsTooMuch"));
        assertThat(BROKEN.kafkaInternals(Set.of("broker"), Set.of())
                        .evaluate(CLASSES)
                        .hasViolation())
                .isFalse();
    }

    @Test
    void failsOnEachCallThatBelongsToTheEdge() {
        List<String> lines = violations(EdgeCalls.stayAtTheEdge(BROKEN.root(), DescribedPredicate.alwaysFalse()));

        for (var method : EdgeCaller.class.getDeclaredMethods()) {
            if (!method.isSynthetic()) {
                boolean allowed = method.getName().startsWith("allowed");
                assertThat(lines.stream().anyMatch(line -> line.contains("EdgeCaller." + method.getName() + "(")))
                        .as(method.getName())
                        .isEqualTo(!allowed);
            }
        }
    }

    @Test
    void failsOnARuleThatMatchesNoClass() {
        Rooms nowhere = new Rooms("io.forebay.nowhere");
        for (ArchRule rule : Arrays.asList(
                nowhere.direction("log"),
                nowhere.noCycles(),
                nowhere.kafkaInternals(Set.of("broker.groups"), Set.of()),
                EdgeCalls.stayAtTheEdge(nowhere.root(), DescribedPredicate.alwaysFalse()))) {
            assertThatThrownBy(() -> rule.check(CLASSES))
                    .as(rule.getDescription())
                    .isInstanceOf(AssertionError.class);
        }
    }

    private static List<String> violations(ArchRule rule) {
        return rule.evaluate(CLASSES).getFailureReport().getDetails();
    }
}

package io.forebay.sim.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The product keeps the rules of the house. */
class ArchitectureTest {

    /** Packages and classes that know Kafka's inner classes, one for each concern. */
    private static final Set<String> KAFKA_ADAPTERS = Set.of(
            "broker.groups",
            "kafka.groups",
            "sim.groups",
            "broker.admin.TopicSettings",
            "broker.transactions.TransactionRecordCodec");

    /** What Kafka publishes as the face of its group coordinator: the broker hands it out, group handlers call it. */
    private static final Set<String> KAFKA_FACES = Set.of("org.apache.kafka.coordinator.group.GroupCoordinator");

    /** Classes outside {@code server} that are an edge too, each with its reason. */
    private static final Set<String> EDGE_CLASSES = Set.of(
            "io.forebay.sim.SimMain", // a main: how long to run, fresh seeds, exit code
            "io.forebay.testkit.SeededTestExtension", // fresh seeds for tests that print them
            "io.forebay.testkit.StoreHands"); // a pool for back ends that really block

    /** Where the real clock, threads and exit live: wiring and command line. */
    private static final DescribedPredicate<JavaClass> EDGE = new DescribedPredicate<>("are the edge") {
        @Override
        public boolean test(JavaClass javaClass) {
            return javaClass.getPackageName().startsWith("io.forebay.server")
                    || EDGE_CLASSES.contains(outermost(javaClass));
        }
    };

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages(Rooms.PRODUCT.root());

    private final Rooms rooms = Rooms.PRODUCT;

    @Test
    void seesEveryRoomOfTheReactor() throws Exception {
        Set<String> modules = new TreeSet<>(Repository.modules());
        modules.removeAll(Set.of("conformance", "bench")); // they come after this room and are seen by nobody

        Set<String> found = rooms.found(PRODUCT);

        assertThat(found).containsExactlyInAnyOrderElementsOf(modules);
        assertThat(Rooms.known()).containsAll(found);
    }

    @TestFactory
    Stream<DynamicTest> roomsSeeOnlyWhomTheyMay() {
        return check(rooms.directions(rooms.found(PRODUCT)));
    }

    @Test
    void packagesHaveNoCycles() {
        rooms.noCycles().check(PRODUCT);
    }

    @TestFactory
    Stream<DynamicTest> librariesEndInAFewRooms() {
        return check(rooms.libraries());
    }

    @Test
    void kafkaInternalsStayInTheirAdapters() {
        rooms.kafkaInternals(KAFKA_ADAPTERS, KAFKA_FACES).check(PRODUCT);
    }

    @Test
    void clockChanceThreadsAndExitStayAtTheEdge() {
        EdgeCalls.stayAtTheEdge(rooms.root(), EDGE).check(PRODUCT);
    }

    private static Stream<DynamicTest> check(List<ArchRule> rules) {
        return rules.stream().map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(PRODUCT)));
    }

    private static String outermost(JavaClass javaClass) {
        String name = javaClass.getName();
        int dollar = name.indexOf('$');
        return dollar < 0 ? name : name.substring(0, dollar);
    }
}

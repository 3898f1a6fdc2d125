package io.forebay.sim.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The rooms, and whom each may see besides itself. Immutable.
 *
 * @param root the package that all rooms lie in; another one than the product's only to see the rules fail
 */
record Rooms(String root) {

    static final Rooms PRODUCT = new Rooms("io.forebay");

    /** Rooms that run nothing in production: nobody sees them but others of their kind. */
    private static final Set<String> TOOLS = Set.of("testkit", "sim", "conformance", "bench");

    private static final Map<String, Set<String>> MAY_SEE = Map.ofEntries(
            Map.entry("model", Set.of()),
            Map.entry("formats", Set.of()),
            Map.entry("store", Set.of("model")),
            Map.entry("store-hdfs", Set.of("model", "store")),
            Map.entry("store-s3", Set.of("model", "store")),
            Map.entry("log", Set.of("model", "store", "formats")),
            Map.entry("cluster", Set.of("model", "store", "log", "formats")),
            Map.entry("engine", Set.of("model")),
            Map.entry("broker", Set.of("model", "log", "cluster", "engine")),
            Map.entry("kafka", Set.of("model", "log", "cluster", "broker")),
            Map.entry("server", Set.of("model", "formats", "store", "log", "cluster", "engine", "broker", "kafka")),
            Map.entry("testkit", Set.of("model", "store")),
            Map.entry(
                    "sim",
                    Set.of(
                            "model", "formats", "store", "log", "cluster", "engine", "broker", "kafka", "server",
                            "testkit")));

    /** Rooms whose packages lie below another room's. */
    private static final Set<String> BACK_ENDS = Set.of("store-hdfs", "store-s3");

    /** Single classes that one room may see of another: what log throws is part of log's own face. */
    private static final Map<String, Set<String>> MAY_SEE_CLASSES =
            Map.of("broker", Set.of("store.StoreException", "store.StoreException$Kind"));

    /** Libraries that end in a few rooms, or in single packages of a room, by the package they begin with. */
    private static final Map<String, Set<String>> LIBRARY_ENDS_IN = new TreeMap<>(Map.of(
            "com.google.protobuf", Set.of("formats", "log", "cluster", "server", "sim"),
            "org.apache.kafka", Set.of("broker", "kafka", "server", "sim"),
            "io.netty", Set.of("kafka", "server", "store-s3", "cluster.transport"),
            "io.grpc", Set.of("cluster.transport"),
            "org.apache.hadoop", Set.of("store-hdfs"),
            "software.amazon.awssdk", Set.of("store-s3"),
            "picocli", Set.of("server", "sim")));

    /** The room that a class belongs to; empty if it lies in none. */
    String roomOf(JavaClass javaClass) {
        String name = javaClass.getPackageName();
        if (!name.startsWith(root + ".")) {
            return "";
        }
        String inside = name.substring(root.length() + 1);
        for (String backEnd : BACK_ENDS) {
            String packages = backEnd.replace('-', '.');
            if (inside.equals(packages) || inside.startsWith(packages + ".")) {
                return backEnd;
            }
        }
        int dot = inside.indexOf('.');
        return dot < 0 ? inside : inside.substring(0, dot);
    }

    /** The rooms that have classes, in alphabetical order. */
    Set<String> found(JavaClasses classes) {
        Set<String> rooms = new TreeSet<>();
        for (JavaClass javaClass : classes) {
            rooms.add(roomOf(javaClass));
        }
        return rooms;
    }

    static Set<String> known() {
        return MAY_SEE.keySet();
    }

    static boolean isTool(String room) {
        return TOOLS.contains(room);
    }

    /** One rule for each room that there is: it sees only the rooms in its row of the table. */
    List<ArchRule> directions(Set<String> rooms) {
        List<ArchRule> rules = new ArrayList<>();
        for (String room : rooms) {
            rules.add(direction(room));
        }
        return rules;
    }

    ArchRule direction(String room) {
        Set<String> allowed = MAY_SEE.getOrDefault(room, Set.of());
        Set<String> classes = MAY_SEE_CLASSES.getOrDefault(room, Set.of());
        return noClasses()
                .that(new DescribedPredicate<>("lie in " + room) {
                    @Override
                    public boolean test(JavaClass javaClass) {
                        return roomOf(javaClass).equals(room);
                    }
                })
                .should()
                .dependOnClassesThat(new DescribedPredicate<>("lie in other rooms than " + new TreeSet<>(allowed)) {
                    @Override
                    public boolean test(JavaClass target) {
                        String other = roomOf(target);
                        return !other.isEmpty()
                                && !other.equals(room)
                                && !allowed.contains(other)
                                && !classes.contains(target.getName().substring(root.length() + 1));
                    }
                })
                .because("of the table of rooms in ARCHITECTURE.md");
    }

    /** No two packages, and so no two rooms, see each other, directly or through others. */
    ArchRule noCycles() {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }

    /** One rule for each library that ends in a few rooms: the others do not know it. */
    List<ArchRule> libraries() {
        List<ArchRule> rules = new ArrayList<>();
        LIBRARY_ENDS_IN.forEach((library, rooms) -> rules.add(noClasses()
                .that(new DescribedPredicate<>("lie outside " + new TreeSet<>(rooms)) {
                    @Override
                    public boolean test(JavaClass javaClass) {
                        String room = roomOf(javaClass);
                        return !room.isEmpty()
                                && !rooms.contains(room)
                                && !rooms.contains(javaClass.getPackageName().substring(root.length() + 1));
                    }
                })
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library + "..")
                .because("the types of a library stay where they are needed")));
        return rules;
    }

    /**
     * Kafka's inner classes have no promise to stay: each concern has one package that knows them.
     *
     * @param adapters packages and classes below the root that may see all of them
     * @param faces names of classes that everyone may see
     */
    ArchRule kafkaInternals(Set<String> adapters, Set<String> faces) {
        return noClasses()
                .that(new DescribedPredicate<>("lie outside " + new TreeSet<>(adapters)) {
                    @Override
                    public boolean test(JavaClass javaClass) {
                        String name = javaClass.getName();
                        return name.startsWith(root + ".")
                                && adapters.stream()
                                        .map(adapter -> root + "." + adapter)
                                        .noneMatch(adapter -> name.equals(adapter)
                                                || name.startsWith(adapter + ".")
                                                || name.startsWith(adapter + "$"));
                    }
                })
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAnyPackage(KAFKA_INTERNALS)
                        .and(new DescribedPredicate<>("are none of " + new TreeSet<>(faces)) {
                            @Override
                            public boolean test(JavaClass target) {
                                return !faces.contains(target.getName());
                            }
                        }))
                .because("a new version of Kafka may change them: only an adapter package should notice");
    }

    private static final String[] KAFKA_INTERNALS = {
        "org.apache.kafka.coordinator..",
        "org.apache.kafka.server..",
        "org.apache.kafka.storage..",
        "org.apache.kafka.image..",
        "org.apache.kafka.metadata..",
        "org.apache.kafka.raft..",
        "org.apache.kafka.timeline..",
        "org.apache.kafka.deferred..",
        "org.apache.kafka.queue..",
        "org.apache.kafka.controller.."
    };
}

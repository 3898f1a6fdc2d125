package io.forebay.sim.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/**
 * Calls to time, chance, threads and the end of the process. They are made only at the edge, by the real ports; all else
 * is handed a clock, a loop or a seed, so that the simulator can run it. References like {@code System::nanoTime} count
 * as calls.
 */
final class EdgeCalls {

    private EdgeCalls() {}

    /** Something that is not called inside, and what stands in its place. */
    private record Ban(String what, String instead, Predicate<AccessTarget> matches) {}

    private static final List<Ban> BANS = List.of(
            new Ban("the system clock", "model's Clock", EdgeCalls::readsClock),
            new Ban("chance", "a seeded source handed in by the constructor", EdgeCalls::isChance),
            new Ban("sleep", "a task scheduled on a Loop", EdgeCalls::sleeps),
            new Ban("threads of its own", "a Loop or Executor handed in by the constructor", EdgeCalls::makesThreads),
            new Ban("a default executor", "the overload that takes an Executor", EdgeCalls::usesDefaultExecutor),
            new Ban("the end of the process", "an outcome that main can act on", EdgeCalls::endsProcess));

    static ArchRule stayAtTheEdge(String root, DescribedPredicate<JavaClass> edge) {
        return classes()
                .that()
                .resideInAPackage(root + "..")
                .and(DescribedPredicate.not(edge))
                .should(new ArchCondition<>("leave clock, chance, threads and exit to the edge") {
                    @Override
                    public void check(JavaClass javaClass, ConditionEvents events) {
                        for (JavaAccess<?> access : javaClass.getAccessesFromSelf()) {
                            ban(access.getTarget()).ifPresent(ban -> {
                                String message = access.getDescription() + ": " + ban.what() + "; use " + ban.instead();
                                events.add(SimpleConditionEvent.violated(javaClass, message));
                            });
                        }
                    }
                });
    }

    private static Optional<Ban> ban(AccessTarget target) {
        return BANS.stream().filter(ban -> ban.matches().test(target)).findFirst();
    }

    private static boolean readsClock(AccessTarget target) {
        return switch (owner(target)) {
            case "java.lang.System" -> named(target, "currentTimeMillis", "nanoTime");
            case "java.time.Clock" ->
                target.getName().startsWith("system") || target.getName().startsWith("tick");
            case "java.util.Date", "java.util.GregorianCalendar" -> isConstructor(target) && takesNothing(target);
            case "java.util.Calendar" -> named(target, "getInstance");
            case "org.apache.kafka.common.utils.Time" -> named(target, "SYSTEM");
            case "org.apache.kafka.common.utils.SystemTime" -> true;
            default -> owner(target).startsWith("java.time.") && named(target, "now") && !takes(target, "Clock");
        };
    }

    private static boolean isChance(AccessTarget target) {
        return switch (owner(target)) {
            case "java.lang.Math", "java.lang.StrictMath" -> named(target, "random");
            case "java.util.Random", "java.util.SplittableRandom" -> isConstructor(target) && takesNothing(target);
            case "java.util.concurrent.ThreadLocalRandom" -> named(target, "current");
            case "java.security.SecureRandom" ->
                isConstructor(target) || target.getName().startsWith("getInstance");
            case "java.util.random.RandomGenerator" -> named(target, "getDefault");
            case "java.util.UUID" -> named(target, "randomUUID");
            case "java.util.Collections" -> named(target, "shuffle") && !takes(target, "Random");
            case "org.apache.kafka.common.Uuid" -> named(target, "randomUuid");
            default -> false;
        };
    }

    private static boolean sleeps(AccessTarget target) {
        return switch (owner(target)) {
            case "java.lang.Thread" -> named(target, "sleep");
            case "java.util.concurrent.TimeUnit" -> named(target, "sleep");
            case "java.util.concurrent.locks.LockSupport" -> named(target, "parkNanos", "parkUntil");
            default -> false;
        };
    }

    private static boolean makesThreads(AccessTarget target) {
        return switch (owner(target)) {
            case "java.util.concurrent.Executors" -> true;
            case "java.lang.Thread",
                    "java.util.Timer",
                    "java.util.concurrent.ThreadPoolExecutor",
                    "java.util.concurrent.ScheduledThreadPoolExecutor",
                    "java.util.concurrent.ForkJoinPool" -> isConstructor(target);
            default -> false;
        };
    }

    private static boolean usesDefaultExecutor(AccessTarget target) {
        if (owner(target).equals("java.util.concurrent.ForkJoinPool")) {
            return named(target, "commonPool");
        }
        if (named(target, "parallelStream", "parallel") && owner(target).startsWith("java.util.")) {
            return true;
        }
        if (!target.getOwner().isAssignableTo(CompletionStage.class)) {
            return false;
        }
        // orTimeout and its like complete on a thread of the JDK.
        return named(target, "orTimeout", "completeOnTimeout", "delayedExecutor")
                || (target.getName().endsWith("Async") && !takes(target, Executor.class.getSimpleName()));
    }

    private static boolean endsProcess(AccessTarget target) {
        return switch (owner(target)) {
            case "java.lang.System" -> named(target, "exit");
            case "java.lang.Runtime" -> named(target, "exit", "halt", "addShutdownHook");
            default -> false;
        };
    }

    private static String owner(AccessTarget target) {
        return target.getOwner().getFullName();
    }

    private static boolean named(AccessTarget target, String... names) {
        return List.of(names).contains(target.getName());
    }

    private static boolean isConstructor(AccessTarget target) {
        return target.getName().equals("<init>");
    }

    private static boolean takesNothing(AccessTarget target) {
        return target instanceof AccessTarget.CodeUnitAccessTarget unit
                && unit.getRawParameterTypes().isEmpty();
    }

    private static boolean takes(AccessTarget target, String simpleName) {
        return target instanceof AccessTarget.CodeUnitAccessTarget unit
                && unit.getRawParameterTypes().stream()
                        .anyMatch(type -> type.getSimpleName().equals(simpleName));
    }
}

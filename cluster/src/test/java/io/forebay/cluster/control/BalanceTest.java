package io.forebay.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.formats.metadata.Role;
import io.forebay.model.ShardId;
import io.forebay.testkit.SeededTest;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Loads and members at random; the controller's balance over minutes of their time. */
class BalanceTest {

    private static final long MIB = BalanceWorld.MIB;
    private static final Role[] ALL = {Role.ROLE_BROKER, Role.ROLE_COORDINATOR, Role.ROLE_CONTROLLER};
    private static final int USER_SHARDS = 48;

    /** So long after the beginning everybody is an old member, and every load is known. */
    private static final int WARM = 90;

    /** Three to seven members of random roles, and shards of which a few have most of the load. */
    private static BalanceWorld random(long seed) {
        BalanceWorld world = new BalanceWorld(seed, USER_SHARDS, 6);
        int members = 3 + world.nextInt(5);
        boolean special = world.nextInt(3) == 0;
        for (int node = 1; node <= members; node++) {
            if (special && node > 2) {
                world.join(node, node % 2 == 0 ? Role.ROLE_COORDINATOR : Role.ROLE_BROKER);
            } else {
                world.join(node, ALL);
            }
        }
        double skew = 3 * world.nextDouble();
        for (ShardImage shard : world.image.shards()) {
            double size = Math.exp(skew * (world.nextDouble() + world.nextDouble()));
            world.loads.put(shard.id(), world.nextInt(4) == 0 ? 0 : Math.round(size * MIB));
        }
        return world;
    }

    @SeededTest(fixed = 20, fresh = 5)
    void comesToRestWithConstantLoads(long seed) {
        BalanceWorld world = random(seed);
        world.seconds(20 * 60);

        assertThat(world.movesAfter(10 * 60)).isZero();
        for (boolean internal : new boolean[] {false, true}) {
            assertNobodyCouldGiveMore(world, internal);
        }
    }

    /** Far above the mean is only who has nothing that the one with the least could take. */
    private static void assertNobodyCouldGiveMore(BalanceWorld world, boolean internal) {
        Map<Long, Long> loads = new HashMap<>(world.memberLoads());
        loads.keySet().removeIf(session -> !mayHold(world, session, internal));
        double mean =
                loads.values().stream().mapToLong(Long::longValue).average().orElse(0);
        long lowest = Collections.min(loads.values());
        loads.forEach((session, load) -> {
            if (load > Math.max(1.2 * mean, mean + MIB)) {
                assertThat(world.image.shards())
                        .filteredOn(shard ->
                                shard.ownerSession() == session && shard.id().isInternal() == internal)
                        .map(shard -> world.loads.getOrDefault(shard.id(), 0L))
                        .filteredOn(size -> size > (load - mean) / 1000)
                        .allSatisfy(size -> assertThat(lowest + size).isGreaterThanOrEqualTo(load * 8 / 10));
            }
        });
    }

    private static boolean mayHold(BalanceWorld world, long session, boolean internal) {
        SessionImage member = world.image.session(session);
        return member != null
                && io.forebay.cluster.image.Role.mayOwn(
                        member.roles(), internal ? ShardId.internal(0) : ShardId.user(0));
    }

    @SeededTest(fixed = 20, fresh = 5)
    void neverMakesTheHighestHigher(long seed) {
        BalanceWorld world = random(seed);
        world.seconds(WARM);
        for (int i = 0; i < 200; i++) {
            long before = Collections.max(world.memberLoads().values());
            long mean = Math.round(world.memberLoads().values().stream()
                    .mapToLong(Long::longValue)
                    .average()
                    .orElse(0));
            world.step();
            long after = Collections.max(world.memberLoads().values());
            // With special roles the mean of a kind differs from the mean of all.
            assertThat(after).isLessThanOrEqualTo(Math.max(before, 2 * mean));
        }
    }

    @SeededTest(fixed = 20, fresh = 5)
    void doesNotOscillateWithNoisyLoads(long seed) {
        BalanceWorld world = random(seed);
        world.noise = 0.1;
        world.seconds(WARM);
        int warm = world.now();
        world.seconds(10 * 60);
        int settled = world.now();
        world.seconds(30 * 60);

        assertThat(world.steps)
                .filteredOn(step -> step.second() > warm)
                .allSatisfy(step -> assertThat(step.soonAfterLast()).isZero());
        assertThat(world.movesAfter(settled)).as("moves in half an hour").isLessThanOrEqualTo(3);
    }

    @SeededTest(fixed = 15, fresh = 5)
    void movesFewAtATimeAndOnlyToWhoMayHaveThem(long seed) {
        BalanceWorld world = random(seed);
        int most = Math.max(1, world.image.shards().size() / 8);
        int drained = 1 + world.nextInt(3);
        world.seconds(WARM);
        world.drain(drained);
        for (int i = 0; i < 200; i++) {
            if (i == 100) {
                world.loads.replaceAll((shard, load) -> world.nextInt(20) * MIB);
            }
            List<Moves.Move> moves = world.step();
            assertThat(moves).hasSizeLessThanOrEqualTo(most);
            assertThat(moves).allSatisfy(move -> {
                assertThat(mayHold(world, move.to(), move.shard().isInternal())).isTrue();
                assertThat(move.to()).isNotEqualTo(BalanceWorld.sessionOf(drained));
            });
        }
    }

    @SeededTest(fixed = 15, fresh = 5)
    void fillsANewMemberAtOnceByNumber(long seed) {
        BalanceWorld world = random(seed);
        world.seconds(10 * 60);
        world.join(9, ALL);
        world.seconds(15);

        for (boolean internal : new boolean[] {false, true}) {
            long most = world.image.sessions().stream()
                    .mapToLong(session -> world.count(session.nodeId(), internal))
                    .max()
                    .orElse(0);
            assertThat(most - world.count(9, internal)).isLessThanOrEqualTo(1);
        }
        int joined = world.now();
        world.seconds(15 * 60);
        assertThat(world.movesAfter(joined + 10 * 60)).isZero();
    }

    @SeededTest(fixed = 15, fresh = 5)
    void evensOutOnRequestAndThenFindsNothing(long seed) {
        BalanceWorld world = random(seed);
        world.seconds(WARM);

        int first = world.evenOut();
        int second = world.evenOut();

        assertThat(first).isLessThanOrEqualTo(world.image.shards().size());
        // The first plan moves no shard twice, so a second may find a little more; it comes to an end.
        assertThat(second).isLessThanOrEqualTo(first);
        int rounds = 0;
        while (world.evenOut() > 0) {
            assertThat(++rounds).isLessThan(20);
        }
        int asked = world.now();
        world.seconds(300);
        assertThat(world.movesAfter(asked)).as("steady undoes nothing").isZero();
    }

    @Test
    void keepsStillWithoutLoad() {
        BalanceWorld world = new BalanceWorld(1, USER_SHARDS, 6);
        world.join(1, ALL);
        world.join(2, ALL);
        world.seconds(WARM);
        int warm = world.now();
        world.image
                .shards()
                .forEach(shard ->
                        world.loads.put(shard.id(), shard.ownerSession() == BalanceWorld.sessionOf(1) ? MIB / 100 : 0));
        world.seconds(300);

        assertThat(world.movesAfter(warm)).isZero();
        assertThat(world.count(1, false)).isEqualTo(USER_SHARDS / 2);
    }

    @Test
    void leavesASingleHotShardAlone() {
        BalanceWorld world = new BalanceWorld(1, 6, 1);
        world.join(1, ALL);
        world.join(2, ALL);
        world.join(3, ALL);
        world.seconds(WARM);
        int warm = world.now();
        world.loads.put(ShardId.user(0), 500 * MIB);
        world.seconds(600);

        assertThat(world.movesAfter(warm)).isZero();
    }

    @Test
    void letsNumbersDifferAsLoadsWantIt() {
        BalanceWorld world = new BalanceWorld(1, USER_SHARDS, 1);
        world.join(1, ALL);
        world.join(2, ALL);
        world.seconds(WARM);
        int busy = 0;
        for (ShardImage shard : world.image.shards()) {
            boolean first = shard.ownerSession() == BalanceWorld.sessionOf(1);
            world.loads.put(shard.id(), first && busy++ < 8 ? 40 * MIB : MIB);
        }
        world.seconds(15 * 60);

        assertThat(world.memberLoads().values())
                .allSatisfy(load -> assertThat(load).isLessThan(220 * MIB));
        int settled = world.now();
        world.seconds(300);
        assertThat(world.movesAfter(settled)).isZero();
    }
}

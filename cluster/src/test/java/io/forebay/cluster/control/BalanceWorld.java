package io.forebay.cluster.control;

import com.google.protobuf.ByteString;
import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.cluster.placement.Placement;
import io.forebay.formats.control.Attend;
import io.forebay.formats.control.ShardEpoch;
import io.forebay.formats.control.ShardLoad;
import io.forebay.formats.metadata.ClusterCreated;
import io.forebay.formats.metadata.MetadataRecord;
import io.forebay.formats.metadata.Role;
import io.forebay.formats.metadata.SessionRegistered;
import io.forebay.model.ShardId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** A controller's balance over members that do as they are told, a few seconds at a time: a shard that should move has moved by the next look. */
final class BalanceWorld {

    static final long MIB = 1 << 20;
    static final int STEP_SECONDS = 3;
    private static final long SECOND = 1_000_000_000L;

    final Balance balance = new Balance(new ControlConfig(3_000, ControlConfig.LOAD_FLOOR_BYTES));
    final Map<ShardId, Long> loads = new HashMap<>();
    final List<Step> steps = new ArrayList<>();
    private final SplittableRandom random;
    private final Map<ShardId, Integer> lastMoved = new HashMap<>();
    private final Map<ShardId, Long> cameFrom = new HashMap<>();
    MetadataImage image;
    double noise;
    private int second;
    private List<Moves.Move> moving = List.of();

    /**
     * What was chosen at one look.
     *
     * @param second since the beginning
     * @param soonAfterLast how many shards moved less than a minute before
     * @param back how many shards go back to where they came from the last time
     */
    record Step(int second, int moves, int soonAfterLast, int back) {}

    BalanceWorld(long seed, int userShards, int internalShards) {
        random = new SplittableRandom(seed);
        image = MetadataImage.EMPTY.apply(List.of(MetadataRecord.newBuilder()
                .setClusterCreated(ClusterCreated.newBuilder()
                        .setClusterId("c")
                        .setUserShards(userShards)
                        .setInternalShards(internalShards))
                .build()));
    }

    /** A member begins; those without an owner get one. */
    void join(int node, Role... roles) {
        image = image.apply(List.of(MetadataRecord.newBuilder()
                .setSessionRegistered(SessionRegistered.newBuilder()
                        .setSession(sessionOf(node))
                        .setNodeId(node)
                        .setIncarnation(ByteString.copyFrom(new byte[16]))
                        .setProcess(ByteString.copyFrom(new byte[16]))
                        .addAllRoles(List.of(roles))
                        .setHost("h")
                        .setPort(9092)
                        .setLanes(1))
                .build()));
        balance.begins(sessionOf(node), nanos());
        image = image.apply(Placement.settle(image, Set.of()));
    }

    static long sessionOf(int node) {
        return 100L + node;
    }

    void drain(int node) {
        image = image.apply(List.of(MetadataImage.drain(node, true)));
    }

    private long nanos() {
        return second * SECOND;
    }

    /** Some seconds go by. Returns what should move from now on. */
    List<Moves.Move> step() {
        second += STEP_SECONDS;
        arrive();
        report();
        List<Moves.Move> chosen = balance.steady(image, Set.of(), List.of(), nanos());
        int soon = 0;
        int back = 0;
        for (Moves.Move move : chosen) {
            Integer last = lastMoved.put(move.shard(), second);
            soon += last != null && second - last < 60 ? 1 : 0;
            long owner = owner(move.shard());
            Long from = cameFrom.put(move.shard(), owner);
            back += from != null && from == move.to() ? 1 : 0;
        }
        steps.add(new Step(second, chosen.size(), soon, back));
        moving = chosen;
        return chosen;
    }

    void seconds(int count) {
        for (int i = 0; i < count; i += STEP_SECONDS) {
            step();
        }
    }

    /** Has everything even at once, as an operator may ask. Returns how many shards moved. */
    int evenOut() {
        arrive();
        report();
        moving = balance.exact(image, Set.of(), List.of());
        int count = moving.size();
        arrive();
        return count;
    }

    private void arrive() {
        for (Moves.Move move : moving) {
            SessionImage to = image.session(move.to());
            ShardImage shard = image.shard(move.shard());
            if (to != null && shard != null && shard.epoch() == move.epoch()) {
                image = image.apply(List.of(Placement.assignment(shard.epoch() + 1, shard.id(), to)));
            }
        }
        moving = List.of();
    }

    private void report() {
        for (SessionImage session : image.sessions()) {
            Attend.Builder attend = Attend.newBuilder().setSession(session.session());
            for (ShardImage shard : image.shards()) {
                if (shard.ownerSession() == session.session()) {
                    int number = shard.id().value();
                    attend.addOpen(ShardEpoch.newBuilder().setShard(number).setEpoch(shard.epoch()));
                    double said = loads.getOrDefault(shard.id(), 0L) * (1 + noise * (2 * random.nextDouble() - 1));
                    attend.addLoads(ShardLoad.newBuilder().setShard(number).setBytesPerSecond(Math.round(said)));
                }
            }
            balance.heard(attend.build(), nanos());
        }
    }

    private long owner(ShardId id) {
        ShardImage shard = image.shard(id);
        return shard == null ? -1 : shard.ownerSession();
    }

    /** True loads by session. */
    Map<Long, Long> memberLoads() {
        Map<Long, Long> sums = new LinkedHashMap<>();
        image.sessions().forEach(session -> sums.put(session.session(), 0L));
        image.shards()
                .forEach(shard -> sums.merge(shard.ownerSession(), loads.getOrDefault(shard.id(), 0L), Long::sum));
        return sums;
    }

    /** How many shards of a kind each node has. */
    long count(int node, boolean internal) {
        return image.shards().stream()
                .filter(shard -> shard.id().isInternal() == internal && shard.ownerSession() == sessionOf(node))
                .count();
    }

    /** How many moves were chosen after that second. */
    int movesAfter(int from) {
        return steps.stream()
                .filter(step -> step.second() > from)
                .mapToInt(Step::moves)
                .sum();
    }

    int now() {
        return second;
    }

    int nextInt(int bound) {
        return random.nextInt(bound);
    }

    double nextDouble() {
        return random.nextDouble();
    }
}

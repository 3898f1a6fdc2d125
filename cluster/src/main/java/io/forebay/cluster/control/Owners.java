package io.forebay.cluster.control;

import io.forebay.cluster.command.AssignShards;
import io.forebay.cluster.command.EndSession;
import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.NodeImage;
import io.forebay.cluster.image.Role;
import io.forebay.cluster.image.ShardImage;
import io.forebay.cluster.placement.Placement;
import io.forebay.cluster.root.Root;
import io.forebay.cluster.root.RootContext;
import io.forebay.formats.control.Attend;
import io.forebay.model.ShardId;
import io.forebay.model.When;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Sees to it that every shard has an owner, and each owner its share: plans moves, starts them at a bounded rate, and gives what was released to who should have it.
 *
 * <p>Owned by the control loop. What is planned is lost with the controller, and the next one plans anew.
 */
final class Owners {

    private final Root root;
    private final RootContext context;
    private final Members members;
    private final Runnable planned;
    private final Moves moves = new Moves();
    private final Balance balance;
    /** Shards that are released and whose next owner is being recorded. */
    private final Set<ShardId> assigning = new HashSet<>();
    /** The image that was planned on last. */
    private long settledVersion = -1;

    private boolean over;

    /** @param planned told when there may be something new to tell members */
    Owners(Root root, RootContext context, ControlConfig config, Members members, Runnable planned) {
        this.root = root;
        this.context = context;
        this.members = members;
        this.planned = planned;
        this.balance = new Balance(config);
    }

    private MetadataImage image() {
        return root.image();
    }

    private long now() {
        return context.clock().nanos();
    }

    /** The term is over: nothing is planned any more. */
    void end() {
        over = true;
    }

    /** Whether there is nobody to move anything to. */
    boolean isAlone() {
        return image().sessions().stream()
                        .filter(session -> Role.ownsShards(session.roles()))
                        .limit(2)
                        .count()
                < 2;
    }

    // ------------------------------------------------------------------ what happens

    /** A session that had no chance to get shards before may get some from now on. */
    void begins(long session) {
        balance.begins(session, now());
    }

    /** A member said what it does with its shards. */
    void heard(Attend report) {
        balance.heard(report, now());
    }

    /** An image became durable. */
    void follow(MetadataImage newer) {
        moves.follow(newer);
    }

    /** What it has released, as far as that is news, gets its next owner. */
    void heardReleased(long session, Attendance member) {
        List<AssignShards.Released> released = new ArrayList<>();
        member.released().forEach((number, epoch) -> {
            ShardId id = new ShardId(number);
            ShardImage now = image().shard(id);
            boolean isSo = now != null && now.ownerSession() == session && now.epoch() == epoch;
            if (isSo && assigning.add(id)) {
                released.add(new AssignShards.Released(id, epoch, moves.target(id)));
            }
        });
        if (released.isEmpty()) {
            return;
        }
        When.doneOn(context.loop(), root.submit(new AssignShards(released, members.unwilling())), (given, failure) -> {
            released.forEach(one -> assigning.remove(one.shard()));
            if (failure == null && !over) {
                settle(true);
            }
        });
    }

    // ------------------------------------------------------------------ planning

    /** Looks again, unless nothing can be different: one node alone keeps what it has. */
    void lookAgain(boolean endsAreKnown) {
        if (!isAlone() || settledVersion != image().version()) {
            settle(endsAreKnown);
        }
    }

    /**
     * Plans what should move, and gives owners to shards that have none.
     *
     * @param endsAreKnown whether no session is being ended, so that who is alive by the image is alive
     */
    void settle(boolean endsAreKnown) {
        MetadataImage image = image();
        settledVersion = image.version();
        Placement placement = new Placement(image, members.draining());
        boolean ownerless = false;
        for (ShardId id : Placement.shards(image)) {
            ShardImage shard = image.shard(id);
            if (shard == null || !image.isLive(shard.ownerSession())) {
                ownerless |= !placement.willing(id).isEmpty();
            } else if (!placement.isWilling(shard.ownerSession(), id)
                    && !moves.isWished(id)
                    && !placement.willing(id).isEmpty()) {
                moves.wishLater(new Moves.Move(id, shard.epoch(), AssignShards.ANYBODY));
            }
        }
        if (ownerless && endsAreKnown) {
            var unused = root.submit(new EndSession(List.of(), members.unwilling()));
        }
        balance.steady(image, members.unwilling(), moves.wished(), now()).forEach(moves::wishLater);
        moves.startLater(Balance.atATime(image));
        planned.run();
    }

    /** All moves that are under way. */
    Moves moves() {
        return moves;
    }

    /** What a member should give up and has not, as far as it says. */
    List<Moves.Move> toRelease(long session) {
        Attendance member = members.find(session);
        return moves.of(image(), session).stream()
                .filter(move ->
                        member == null || !member.hasReleased(move.shard().value(), move.epoch()))
                .toList();
    }

    // ------------------------------------------------------------------ steering

    /** An operator wants a shard elsewhere. Returns why not, or nothing. */
    String move(ShardId id, int nodeId) {
        ShardImage shard = image().shard(id);
        NodeImage node = image().node(nodeId);
        if (shard == null || !image().isLive(shard.ownerSession())) {
            return shard == null ? "there is no shard " + id : "shard " + id + " has no owner at the moment";
        }
        if (node == null || !image().isLive(node.session())) {
            return "node " + nodeId + " does not run";
        }
        if (!new Placement(image(), members.draining()).isWilling(node.session(), id)) {
            return "node " + nodeId + " does not take shard " + id + ": its roles do not allow it, or it is drained";
        }
        if (shard.ownerSession() != node.session()) {
            moves.wish(shard, node.session());
        }
        return "";
    }

    /** An operator gives a drained node back. */
    void undrained(int nodeId) {
        NodeImage node = image().node(nodeId);
        if (node != null) {
            balance.begins(node.session(), now());
        }
    }

    /** An operator wants everything even, whatever the hysteresis says. Returns how many shards are on their way, or will be. */
    int evenOut() {
        balance.exact(image(), members.unwilling(), moves.wished()).forEach(moves::wishLater);
        return moves.wished().size();
    }
}

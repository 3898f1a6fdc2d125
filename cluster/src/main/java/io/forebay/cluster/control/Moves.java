package io.forebay.cluster.control;

import io.forebay.cluster.command.AssignShards;
import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.model.ShardId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Shards that are to have another owner, until they have one. Wishes, nothing more: a controller that forgets them plans anew. Owned by the control loop. */
final class Moves {

    /**
     * One wish.
     *
     * @param epoch that is to end
     * @param to session; {@link AssignShards#ANYBODY}: chosen when the shard is released
     */
    record Move(ShardId shard, long epoch, long to) {}

    /** So many begin together when none was under way: who has just started opens its first shards slowly, and few should wait for that. */
    private static final int FIRST = 2;

    private final Map<ShardId, Move> moves = new TreeMap<>();
    /** Those that wait until fewer are under way. */
    private final Map<ShardId, Move> later = new LinkedHashMap<>();
    /** So many may be under way: one more for each that was under way and is over. */
    private int window = FIRST;

    /** Wishes that a shard goes to a session; an earlier wish for it is replaced. */
    void wish(ShardImage shard, long to) {
        wish(new Move(shard.id(), shard.epoch(), to));
    }

    void wish(Move move) {
        later.remove(move.shard());
        moves.put(move.shard(), move);
    }

    /** Wishes the same, but when it is its turn: see {@link #startLater}. */
    void wishLater(Move move) {
        later.put(move.shard(), move);
    }

    /**
     * Starts what should come later: two at first, and two for each that has come true, up to a limit. It begins anew when nothing is wished any more.
     *
     * @param most that may be under way
     */
    void startLater(int most) {
        for (Move move : List.copyOf(later.values())) {
            if (moves.size() >= Math.min(window, most)) {
                return;
            }
            wish(move);
        }
    }

    boolean isWished(ShardId shard) {
        return moves.containsKey(shard) || later.containsKey(shard);
    }

    /** Where the shard is to go. */
    long target(ShardId shard) {
        Move move = moves.get(shard);
        return move == null ? AssignShards.ANYBODY : move.to();
    }

    /** All that are under way. */
    List<Move> all() {
        return new ArrayList<>(moves.values());
    }

    /** Also those that wait. */
    List<Move> wished() {
        List<Move> all = all();
        all.addAll(later.values());
        return all;
    }

    /** Drops what has come true, or makes no sense any more. */
    void follow(MetadataImage image) {
        int before = moves.size();
        moves.values().removeIf(move -> isOver(image, move));
        later.values().removeIf(move -> isOver(image, move));
        window = moves.isEmpty() && later.isEmpty() ? FIRST : window + before - moves.size();
    }

    private static boolean isOver(MetadataImage image, Move move) {
        ShardImage now = image.shard(move.shard());
        boolean gone = move.to() != AssignShards.ANYBODY && !image.isLive(move.to());
        return now == null || now.epoch() != move.epoch() || gone;
    }

    /** What a session is to give up. */
    List<Move> of(MetadataImage image, long session) {
        return moves.values().stream()
                .filter(move -> {
                    ShardImage now = image.shard(move.shard());
                    return now != null && now.ownerSession() == session;
                })
                .toList();
    }
}

package io.forebay.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cluster.command.AssignShards;
import io.forebay.cluster.image.ShardImage;
import io.forebay.cluster.placement.Placement;
import io.forebay.formats.metadata.Role;
import io.forebay.model.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MovesTest {

    private static final int SHARDS = 64;

    private final Moves moves = new Moves();
    private final BalanceWorld world = new BalanceWorld(1, SHARDS, 1);

    MovesTest() {
        world.join(1, Role.ROLE_BROKER, Role.ROLE_COORDINATOR);
        world.join(2, Role.ROLE_BROKER, Role.ROLE_COORDINATOR);
    }

    private void wishAwayFrom(int node) {
        for (ShardImage shard : world.image.shards()) {
            if (shard.ownerSession() == BalanceWorld.sessionOf(node)) {
                moves.wishLater(new Moves.Move(shard.id(), shard.epoch(), AssignShards.ANYBODY));
            }
        }
    }

    /** Everything that is under way has another owner from now on. */
    private void arrive() {
        for (Moves.Move move : moves.all()) {
            long target = BalanceWorld.sessionOf(2);
            world.image = world.image.apply(List.of(Placement.assignment(
                    move.epoch() + 1, move.shard(), Objects.requireNonNull(world.image.session(target)))));
        }
        moves.follow(world.image);
    }

    @Test
    void beginsWithTwoAndGrowsAsTheyArrive() {
        wishAwayFrom(1);
        List<Integer> underWay = new ArrayList<>();
        while (!moves.wished().isEmpty()) {
            moves.startLater(8);
            underWay.add(moves.all().size());
            arrive();
        }

        assertThat(underWay).startsWith(2, 4, 8, 8);
        assertThat(Set.copyOf(world.image.shards().stream()
                        .map(ShardImage::ownerSession)
                        .toList()))
                .containsExactly(BalanceWorld.sessionOf(2));
    }

    @Test
    void beginsAnewWhenNothingWasWishedForAWhile() {
        wishAwayFrom(1);
        while (!moves.wished().isEmpty()) {
            moves.startLater(8);
            arrive();
        }

        wishAwayFrom(2);
        moves.startLater(8);

        assertThat(moves.all()).hasSize(2);
    }

    @Test
    void whatIsAskedForByNameBeginsAtOnceAndTakesNoTurn() {
        wishAwayFrom(1);
        ShardId named = moves.wished().get(moves.wished().size() - 1).shard();

        moves.wish(Objects.requireNonNull(world.image.shard(named)), BalanceWorld.sessionOf(2));
        moves.startLater(8);

        assertThat(moves.all()).hasSize(2).anyMatch(move -> move.shard().equals(named));
        assertThat(moves.isWished(named)).isTrue();
    }
}

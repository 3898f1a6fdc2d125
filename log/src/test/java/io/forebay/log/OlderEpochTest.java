package io.forebay.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.log.shard.Shard;
import io.forebay.log.shard.ShardLostException;
import io.forebay.model.ShardId;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * An owner that comes late finds a manifest of a later one and stops, also where nothing else would stop it: the later owner has released the shard. A simulated cluster hardly
 * ever comes to that.
 */
class OlderEpochTest {

    private static final ShardId SHARD = new ShardId(1);
    private static final long EPOCH = 1_000;

    @Test
    void opensNothingUnderAnEpochThatIsOver() {
        LogWorld world = new LogWorld(7, LogWorld.configThatFlushes(1 << 30));
        world.leavesClosed = true;
        world.start();
        Shard open = done(world, open(world, EPOCH)).join();
        CompletableFuture<Void> released = new CompletableFuture<>();
        open.loop().execute(() -> {
            var unused = open.release().thenAccept(released::complete);
        });
        assertThat(done(world, released)).isCompleted();

        for (long late : new long[] {EPOCH - 1, EPOCH}) {
            CompletableFuture<Shard> opening = done(world, open(world, late));
            assertThatThrownBy(opening::join).hasCauseInstanceOf(ShardLostException.class);
        }
        assertThat(done(world, open(world, EPOCH + 1))).isCompleted();
    }

    private static CompletableFuture<Shard> open(LogWorld world, long epoch) {
        return world.live().log.open(SHARD, epoch, world.live().loopOf(0));
    }

    private static <T> CompletableFuture<T> done(LogWorld world, CompletableFuture<T> future) {
        assertThat(world.simulation.runUntil(future::isDone, LogWorld.PATIENCE_MS))
                .isTrue();
        return future;
    }
}

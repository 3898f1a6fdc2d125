package io.forebay.kafka.net;

import io.forebay.model.Loop;
import io.netty.channel.EventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An event loop of Netty as a loop that may own state. Tasks that fail are logged; the loop goes on. */
public final class NettyLoop implements Loop {

    private static final Logger LOG = LoggerFactory.getLogger(NettyLoop.class);

    private final EventLoop eventLoop;

    NettyLoop(EventLoop eventLoop) {
        this.eventLoop = eventLoop;
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public boolean inLoop() {
        return eventLoop.inEventLoop();
    }

    @Override
    public void execute(Runnable task) {
        eventLoop.execute(task);
    }

    @Override
    public Cancellable schedule(Runnable task, long delayMs) {
        Future<?> scheduled = eventLoop.schedule(() -> runLogged(task), delayMs, TimeUnit.MILLISECONDS);
        return () -> {
            boolean unused = scheduled.cancel(false);
        };
    }

    // A scheduled task's failure would otherwise lie unseen in its future.
    private static void runLogged(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException failure) {
            LOG.error("A scheduled task failed.", failure);
        }
    }

    @Override
    public String toString() {
        return "loop " + eventLoop;
    }
}

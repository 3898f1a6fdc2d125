package io.forebay.sim.groups;

import io.forebay.model.Loop;
import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.server.util.timer.TimerTask;
import org.apache.kafka.server.util.timer.TimerTaskEntry;

/** Kafka's timer on a loop. */
final class LoopTimer implements Timer {

    private final Loop loop;

    LoopTimer(Loop loop) {
        this.loop = loop;
    }

    @Override
    public void add(TimerTask task) {
        // A task is called off by way of its entry.
        TimerTaskEntry entry = new TimerTaskEntry(task, 0);
        var unused = loop.schedule(
                () -> {
                    if (!entry.cancelled()) {
                        task.run();
                    }
                },
                task.delayMs);
    }

    @Override
    public boolean advanceClock(long timeoutMs) {
        return false;
    }

    @Override
    public int size() {
        return 0;
    }

    @Override
    public void close() {
        // The loop ends with its process.
    }
}

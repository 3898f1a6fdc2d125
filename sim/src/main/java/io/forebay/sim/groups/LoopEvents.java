package io.forebay.sim.groups;

import io.forebay.model.Loop;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.coordinator.common.runtime.CoordinatorEvent;
import org.apache.kafka.coordinator.common.runtime.CoordinatorEventProcessor;

/**
 * Runs the events of a coordinator one by one, each as a turn of its partition's loop, so that an append in it needs no other thread.
 * Events of a partition that was never served here run on a loop of their own: they find no coordinator. Owned by the simulation's
 * thread.
 */
final class LoopEvents implements CoordinatorEventProcessor {

    private final Loop elsewhere;
    private final Map<TopicPartition, Loop> loops = new HashMap<>();
    private final Map<TopicPartition, Deque<CoordinatorEvent>> waiting = new HashMap<>();

    LoopEvents(Loop elsewhere) {
        this.elsewhere = elsewhere;
    }

    /** Says on which loop a partition lives; it stays there as long as the process lives. */
    void home(TopicPartition key, Loop loop) {
        loops.put(key, loop);
    }

    @Override
    public void enqueueLast(CoordinatorEvent event) {
        queue(event.key()).addLast(event);
        loop(event.key()).execute(() -> runFirst(event.key()));
    }

    @Override
    public void enqueueFirst(CoordinatorEvent event) {
        queue(event.key()).addFirst(event);
        loop(event.key()).execute(() -> runFirst(event.key()));
    }

    /** One turn for each event; which one it runs is decided when its turn comes. */
    private void runFirst(TopicPartition key) {
        Loop home = loop(key);
        if (!home.inLoop()) {
            home.execute(() -> runFirst(key));
            return;
        }
        queue(key).removeFirst().run();
    }

    private Deque<CoordinatorEvent> queue(TopicPartition key) {
        return waiting.computeIfAbsent(key, unused -> new ArrayDeque<>());
    }

    private Loop loop(TopicPartition key) {
        return loops.getOrDefault(key, elsewhere);
    }

    @Override
    public void close() {
        // Loops end with their process.
    }
}

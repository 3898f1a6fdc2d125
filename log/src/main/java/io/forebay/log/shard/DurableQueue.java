package io.forebay.log.shard;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * What waits for the entries of one shard to become durable. Entries become durable in the order in which they were appended,
 * so counting is enough. Owned by the shard loop.
 */
final class DurableQueue {

    private record Waiting(long count, Runnable task, Consumer<RuntimeException> failed) {}

    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private long appended;
    private long durable;

    void appended() {
        appended++;
    }

    boolean allDurable() {
        return appended == durable;
    }

    /** Runs the task once everything appended so far is durable. */
    void whenDurable(Runnable task, Consumer<RuntimeException> failed) {
        if (allDurable()) {
            task.run();
        } else {
            waiting.add(new Waiting(appended, task, failed));
        }
    }

    /** One more entry is durable. */
    void durable() {
        durable++;
        for (Waiting next = waiting.peek(); next != null && next.count <= durable; next = waiting.peek()) {
            waiting.remove();
            next.task.run();
        }
    }

    void fail(RuntimeException cause) {
        for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
            next.failed.accept(cause);
        }
    }
}

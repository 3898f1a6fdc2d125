package io.forebay.server.node;

import io.forebay.kafka.net.NetLoops;
import io.forebay.model.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * All threads of a node: net loops (sockets and shards), the control loop, one journal loop per lane and one for the root, store threads, one merge
 * thread, one that replays coordinators.
 */
final class NodeThreads implements AutoCloseable {

    private final NetLoops net;
    private final ThreadLoop control = new ThreadLoop("control");
    private final ThreadLoop rootJournal = new ThreadLoop("journal-root");
    private final List<ThreadLoop> journals = new ArrayList<>();
    private final ExecutorService store;
    private final ExecutorService merge = pool("merge", 1);
    private final ExecutorService replay = pool("replay", 1);

    NodeThreads(int netThreads, int lanes, int storeThreads) {
        this.net = NetLoops.start(netThreads);
        for (int lane = 0; lane < lanes; lane++) {
            journals.add(new ThreadLoop("journal-" + lane));
        }
        this.store = pool("store", storeThreads);
    }

    private static ExecutorService pool(String name, int size) {
        AtomicInteger number = new AtomicInteger();
        return Executors.newFixedThreadPool(size, task -> {
            Thread thread = new Thread(task, name + "-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
    }

    NetLoops net() {
        return net;
    }

    Loop control() {
        return control;
    }

    Loop rootJournal() {
        return rootJournal;
    }

    List<Loop> journals() {
        return List.copyOf(journals);
    }

    ExecutorService store() {
        return store;
    }

    ExecutorService merge() {
        return merge;
    }

    ExecutorService replay() {
        return replay;
    }

    /** Ends all threads. Threads that do I/O are never interrupted. */
    @Override
    public void close() {
        net.close();
        control.close();
        journals.forEach(ThreadLoop::close);
        rootJournal.close();
        replay.shutdown();
        merge.shutdown();
        store.shutdown();
    }
}

package io.forebay.conformance.chaos;

import io.forebay.conformance.cluster.ForebayCluster;
import io.forebay.conformance.stores.StoreFault;
import io.forebay.conformance.stores.StoreUnderTest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Everything that can be done to a cluster, its store and its clients. Used by one thread. */
final class Deeds {

    private static final int PAUSE_MS = 10_000;
    private static final int LONGEST_ABSENCE_MS = 6_000;

    private final ForebayCluster cluster;
    private final StoreUnderTest store;
    private final Load load;

    Deeds(ForebayCluster cluster, StoreUnderTest store, Load load) {
        this.cluster = cluster;
        this.store = store;
        this.load = load;
    }

    /** All of them; one round does each once. */
    List<Deed> all() {
        List<Deed> deeds = new ArrayList<>(List.of(
                chance -> kill(anyNode(chance), chance),
                chance -> kill(cluster.controller().orElse(1), chance),
                chance -> pause(anyNode(chance)),
                chance -> term(anyNode(chance), chance),
                this::restartAll,
                this::killWhileStarting,
                this::replaceMember));
        if (cluster.size() > 1) {
            deeds.add(chance -> pause(cluster.controller().orElse(1)));
            deeds.add(chance -> term(cluster.controller().orElse(1), chance));
            deeds.add(this::killTwo);
        }
        for (StoreFault fault : store.faults()) {
            deeds.add(chance -> breakStore(fault, chance));
        }
        for (int i = 0; i < store.faults().size() / 3; i++) {
            deeds.add(this::killWhileBroken);
        }
        return deeds;
    }

    private int anyNode(SplittableRandom chance) {
        return 1 + chance.nextInt(cluster.size());
    }

    private static void sleep(long ms) throws InterruptedException {
        Thread.sleep(ms);
    }

    /** Half of the absences are as short as they can be, the others up to some seconds. */
    private static void absence(SplittableRandom chance) throws InterruptedException {
        if (chance.nextBoolean()) {
            sleep(chance.nextInt(LONGEST_ABSENCE_MS));
        }
    }

    private String kill(int id, SplittableRandom chance) throws InterruptedException {
        cluster.kill9(id);
        absence(chance);
        cluster.start(id);
        cluster.awaitReady(id);
        return "kill -9 of node " + id;
    }

    /** Another node dies while the shards of the first one are being taken over. */
    private String killTwo(SplittableRandom chance) throws InterruptedException {
        int first = anyNode(chance);
        int second = 1 + first % cluster.size();
        cluster.kill9(first);
        sleep(chance.nextInt(LONGEST_ABSENCE_MS));
        cluster.kill9(second);
        cluster.start(first);
        cluster.start(second);
        cluster.awaitReady(first);
        cluster.awaitReady(second);
        return "kill -9 of node " + first + ", then of node " + second;
    }

    private String pause(int id) throws InterruptedException {
        cluster.pause(id);
        sleep(PAUSE_MS);
        cluster.resume(id);
        return "SIGSTOP of node " + id + " for " + PAUSE_MS + " ms";
    }

    private String term(int id, SplittableRandom chance) throws InterruptedException {
        long from = System.nanoTime();
        int code = cluster.sigterm(id);
        long tookMs = (System.nanoTime() - from) / 1_000_000;
        absence(chance);
        cluster.start(id);
        cluster.awaitReady(id);
        return "SIGTERM of node " + id + ", which ended with " + code + " after " + tookMs + " ms";
    }

    private String restartAll(SplittableRandom chance) {
        boolean hard = chance.nextBoolean();
        for (int id = 1; id <= cluster.size(); id++) {
            if (hard) {
                cluster.kill9(id);
            } else {
                int unused = cluster.sigterm(id);
            }
        }
        cluster.startAll();
        return (hard ? "kill -9" : "SIGTERM") + " and restart of all nodes";
    }

    private String killWhileStarting(SplittableRandom chance) throws InterruptedException {
        int id = anyNode(chance);
        cluster.kill9(id);
        List<Integer> livesMs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int lifeMs = 300 + chance.nextInt(1_500);
            cluster.start(id);
            sleep(lifeMs);
            cluster.kill9(id);
            livesMs.add(lifeMs);
        }
        cluster.start(id);
        cluster.awaitReady(id);
        return "kill -9 of node " + id + ", then of its next lives after " + livesMs + " ms";
    }

    private String replaceMember(SplittableRandom chance) {
        load.replaceMember(chance.nextInt(load.members()));
        return "a group member is replaced";
    }

    private static long duration(StoreFault fault, SplittableRandom chance) {
        return fault.longestMs() / 4 + chance.nextLong(fault.longestMs() * 3 / 4 + 1);
    }

    private static String breakStore(StoreFault fault, SplittableRandom chance) throws InterruptedException {
        long ms = duration(fault, chance);
        fault.begin().run();
        sleep(ms);
        fault.end().run();
        return fault.name() + " for " + ms + " ms";
    }

    /** The node comes back while the store is still broken. */
    private String killWhileBroken(SplittableRandom chance) throws InterruptedException {
        StoreFault fault = store.faults().get(chance.nextInt(store.faults().size()));
        int id = anyNode(chance);
        long ms = duration(fault, chance);
        fault.begin().run();
        sleep(ms / 3);
        cluster.kill9(id);
        cluster.start(id);
        sleep(ms - ms / 3);
        fault.end().run();
        cluster.awaitReady(id);
        return fault.name() + " for " + ms + " ms, and kill -9 of node " + id + " meanwhile";
    }
}

package io.forebay.conformance.chaos;

import io.forebay.bench.peer.OpenedStore;
import io.forebay.conformance.cluster.ForebayCluster;
import io.forebay.conformance.stores.StoreUnderTest;
import io.forebay.store.ObjectKey;
import java.io.PrintStream;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletionException;

/** After a run: everything that nobody needs any more goes within the grace period. Used by one thread. */
final class LeakCheck {

    /** The product keeps what it has replaced for a minute, and looks for what others left when it opens a shard. */
    private static final long LIMIT_NANOS = 180_000_000_000L;

    private static final long PAUSE_MS = 3_000;

    private LeakCheck() {}

    /** Restarts all nodes and waits until nothing is left over; what is then is a finding. */
    static void run(ForebayCluster cluster, StoreUnderTest under, Findings findings, PrintStream out)
            throws InterruptedException {
        for (int id = 1; id <= cluster.size(); id++) {
            int unused = cluster.sigterm(id);
        }
        cluster.startAll();
        try (OpenedStore opened = new OpenedStore(URI.create(under.uri()), under.settings(), under.environment())) {
            Unnamed unnamed = new Unnamed(opened.store());
            long from = System.nanoTime();
            List<ObjectKey> left = look(unnamed);
            int atFirst = left.size();
            while (!left.isEmpty() && System.nanoTime() - from < LIMIT_NANOS) {
                Thread.sleep(PAUSE_MS);
                left = look(unnamed);
            }
            out.printf(
                    "LEAKS store=%s unnamed at first=%d, after %d s=%d, metadata journals below the older snapshot=%d%n",
                    under.kind(),
                    atFirst,
                    (System.nanoTime() - from) / 1_000_000_000,
                    left.size(),
                    unnamed.oldMetadata().size());
            left.forEach(key -> findings.add(Findings.Kind.LEAKED, "nobody needs " + key));
        }
    }

    /** What is deleted while it is looked at makes a look fail; then it is looked at again. */
    private static List<ObjectKey> look(Unnamed unnamed) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                return unnamed.objects();
            } catch (CompletionException changing) {
                if (tries == 10) {
                    throw changing;
                }
                Thread.sleep(PAUSE_MS / 10);
            }
        }
    }
}

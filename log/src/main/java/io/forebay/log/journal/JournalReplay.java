package io.forebay.log.journal;

import io.forebay.store.Store;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntToLongFunction;

/** Finds out which frames a fenced session holds: reads the index of closed files, scans the others. */
public final class JournalReplay {

    /**
     * @param executor parses and checks what was read; may be several threads
     * @param damage told on threads of the executor
     */
    public JournalReplay(Store store, Executor executor, DamageListener damage) {}

    /**
     * Loads the index of everything that counts.
     *
     * @param firstFile for each lane the lowest file that anybody still needs
     * @return completes on a thread of the executor
     */
    public CompletableFuture<SessionIndex> load(FencedJournal journal, IntToLongFunction firstFile) {
        throw new UnsupportedOperationException();
    }
}

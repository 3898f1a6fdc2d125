package io.forebay.log.partition;

import io.forebay.model.ByteRun;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Checked batches.
 *
 * @param run to be released
 * @param nextOffset one more than the last offset of the run
 * @param whole whether these are all batches that were asked for; damage or the reader's limits end a run early
 */
record CutRun(ByteRun run, long nextOffset, boolean whole) {

    /**
     * Consecutive runs as one, when all have come. It ends where one is not whole or failed; that is a failure only if it is the first.
     */
    static CompletableFuture<CutRun> join(List<CompletableFuture<CutRun>> runs) {
        return CompletableFuture.allOf(runs.toArray(CompletableFuture<?>[]::new))
                .handle((nothing, anyFailure) -> joined(runs));
    }

    private static CutRun joined(List<CompletableFuture<CutRun>> runs) {
        ByteRun.Builder all = new ByteRun.Builder();
        CutRun last = null;
        CompletionException first = null;
        boolean whole = true;
        for (CompletableFuture<CutRun> run : runs) {
            try {
                CutRun next = run.join();
                if (whole) {
                    all.take(next.run);
                    last = next;
                    whole = next.whole;
                } else {
                    next.run.release();
                }
            } catch (CompletionException failure) {
                first = last == null && first == null ? failure : first;
                whole = false;
            }
        }
        if (last == null) {
            throw first == null ? new IllegalArgumentException("no runs to join") : first;
        }
        return new CutRun(all.build(), last.nextOffset, whole);
    }
}

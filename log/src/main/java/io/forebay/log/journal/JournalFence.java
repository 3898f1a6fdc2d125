package io.forebay.log.journal;

import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Ends sessions of the past. Owned by the loop it is given.
 *
 * <p>For every lane: put the tombstone at the first missing number; then seal every file below it; then read what the headers state.
 * Once the tombstone is there the writer can make no further file, and what it still gets into the files that exist is cut off by the
 * seals, or was reported durable before. On a store without append files are complete by themselves: then the listing says all.
 */
public final class JournalFence {

    private final Store store;
    private final Loop loop;
    private final Clock clock;
    private final Maker maker;
    private final FenceConfig config;

    /**
     * Makes a fence.
     *
     * @param maker the incarnation id of whoever fences
     */
    public JournalFence(Store store, Loop loop, Clock clock, Maker maker, FenceConfig config) {
        this.store = store;
        this.loop = loop;
        this.clock = clock;
        this.maker = maker;
        this.config = config;
    }

    /**
     * Makes sure that the session can acknowledge nothing more, and finds out exactly what it did acknowledge. Idempotent:
     * every caller, now or later, finds the same ends.
     *
     * @param prefix as in {@link JournalPath}
     * @param lanes how many lanes the session was given, at least 1
     * @return completes on the loop; fails with a StoreException when the store does not answer, then repeat it
     */
    public CompletableFuture<FencedJournal> fence(String prefix, long session, int lanes) {
        if (lanes < 1) {
            throw new IllegalArgumentException("a session has at least one lane: " + lanes);
        }
        return fence(new FencedJournal(prefix, session, List.of()), lanes);
    }

    /**
     * Fences further lanes of a session of which the first ones are fenced.
     *
     * @param first what was found of lanes 0 to {@code first.lanes().size() - 1}
     * @param lanes how many lanes there are in all; those that are fenced are not looked at again
     * @return all of them; completes and fails like {@link #fence(String, long, int)}
     */
    public CompletableFuture<FencedJournal> fence(FencedJournal first, int lanes) {
        List<CompletableFuture<FencedJournal.Lane>> running = new ArrayList<>();
        first.lanes().forEach(lane -> running.add(CompletableFuture.completedFuture(lane)));
        for (int lane = running.size(); lane < lanes; lane++) {
            JournalPath path = new JournalPath(first.prefix(), first.session(), lane);
            running.add(new LaneFence(path, store, loop, clock, maker, config).fence());
        }
        return CompletableFuture.allOf(running.toArray(CompletableFuture<?>[]::new))
                .thenApplyAsync(
                        nothing -> new FencedJournal(
                                first.prefix(),
                                first.session(),
                                running.stream().map(CompletableFuture::join).toList()),
                        loop);
    }
}

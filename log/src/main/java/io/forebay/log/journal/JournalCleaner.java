package io.forebay.log.journal;

import io.forebay.model.Loop;
import io.forebay.store.Store;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Deletes journal files that nobody needs, lowest first, each confirmed before the next. Owned by the loop it is given.
 *
 * <p>Never the highest number of a lane: a writer or fencer that comes late must find something there. A tombstone is the highest of
 * its lane, or not a file of anybody's list.
 */
public final class JournalCleaner {

    private final Store store;
    private final Loop loop;
    private final Need need;

    /** Decides from manifests read from the store. */
    public interface Need {
        /** Whether any current manifest of the file's shards still needs it. */
        CompletableFuture<Boolean> needed(JournalPath path, ClosedFile file);
    }

    public JournalCleaner(Store store, Loop loop, Need need) {
        this.store = store;
        this.loop = loop;
        this.need = need;
    }

    /**
     * Deletes from the lowest file on until one is needed. Never the highest number of the lane.
     *
     * @param files the lane's files that take no more frames, in order, from the lowest that exists
     * @param highest the highest number that exists in the lane
     * @return the number of files deleted; completes on the loop; fails with the first failure of the store, then try again later
     */
    public CompletableFuture<Integer> clean(JournalPath path, List<ClosedFile> files, long highest) {
        for (int i = 1; i < files.size(); i++) {
            if (files.get(i).number() <= files.get(i - 1).number()) {
                throw new IllegalArgumentException("files to delete are in ascending order");
            }
        }
        return cleanFrom(path, List.copyOf(files), highest, 0);
    }

    private CompletableFuture<Integer> cleanFrom(JournalPath path, List<ClosedFile> files, long highest, int next) {
        if (next == files.size() || files.get(next).number() >= highest) {
            return CompletableFuture.completedFuture(next);
        }
        ClosedFile file = files.get(next);
        CompletableFuture<Boolean> needed =
                file.shards().isEmpty() ? CompletableFuture.completedFuture(false) : need.needed(path, file);
        return needed.thenComposeAsync(
                yes -> yes
                        ? CompletableFuture.completedFuture(next)
                        : store.delete(path.file(file.number()))
                                .thenComposeAsync(nothing -> cleanFrom(path, files, highest, next + 1), loop),
                loop);
    }
}

package io.forebay.log.journal;

import io.forebay.model.Loop;
import io.forebay.store.Store;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Deletes journal files that nobody needs, lowest first, each confirmed before the next. Owned by the loop it is given.
 *
 * <p>Of a living session only what an acknowledged file above says was written ({@link Journal#deletableBelow}): otherwise a fencer that comes late would take the
 * place of a deleted file for one that never was. The tombstone that ended a lane says so of everything below it, and is not a file of anybody's list.
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
     * Deletes from the lowest file on until one is needed.
     *
     * @param files the lane's files that take no more frames, in order, from the lowest that exists
     * @param below only files with lower numbers may go
     * @return the number of files deleted; completes on the loop; fails with the first failure of the store, then try again later
     */
    public CompletableFuture<Integer> clean(JournalPath path, List<ClosedFile> files, long below) {
        for (int i = 1; i < files.size(); i++) {
            if (files.get(i).number() <= files.get(i - 1).number()) {
                throw new IllegalArgumentException("files to delete are in ascending order");
            }
        }
        return cleanFrom(path, List.copyOf(files), below, 0);
    }

    private CompletableFuture<Integer> cleanFrom(JournalPath path, List<ClosedFile> files, long below, int next) {
        if (next == files.size() || files.get(next).number() >= below) {
            return CompletableFuture.completedFuture(next);
        }
        ClosedFile file = files.get(next);
        CompletableFuture<Boolean> needed =
                file.shards().isEmpty() ? CompletableFuture.completedFuture(false) : need.needed(path, file);
        return needed.thenComposeAsync(
                yes -> yes
                        ? CompletableFuture.completedFuture(next)
                        : store.delete(path.file(file.number()))
                                .thenComposeAsync(nothing -> cleanFrom(path, files, below, next + 1), loop),
                loop);
    }
}

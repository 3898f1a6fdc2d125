package io.forebay.log;

import io.forebay.log.journal.ClosedFile;
import java.util.List;

/**
 * Up to where a lane of the own journal that has grown too large is to be freed: its oldest files, a quarter of the limit at once. Owned
 * by the home loop.
 *
 * <p>A cut stays until nobody needs a file before it, however many files are closed meanwhile: every shard moves once for each quarter, not
 * once for each file.
 */
final class LaneCut {

    private static final int SLACK_PART = 4;
    /** Each file counts with this part of the limit at least: where each flush is a file of its own, a start reads the end of every one. */
    private static final int MOST_FILES = 1_024;

    private final long limitBytes;
    private long firstFile;

    /** @param limitBytes size of all needed files from which on the oldest are to go */
    LaneCut(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** No file before this one is to be needed any more. All before it take no more frames. */
    long firstFile() {
        return firstFile;
    }

    private long sizeOf(ClosedFile file) {
        return Math.max(file.end(), limitBytes / MOST_FILES);
    }

    /**
     * Looks again.
     *
     * @param files that take no more frames, in order
     * @param firstNeeded the lowest number that a shard still needs
     */
    void look(List<ClosedFile> files, long firstNeeded) {
        if (firstNeeded < firstFile) {
            return;
        }
        long bytes = 0;
        for (ClosedFile file : files) {
            bytes += file.number() < firstNeeded ? 0 : sizeOf(file);
        }
        if (bytes <= limitBytes) {
            return;
        }
        for (ClosedFile file : files) {
            if (bytes <= limitBytes - limitBytes / SLACK_PART) {
                return;
            }
            if (file.number() >= firstNeeded) {
                bytes -= sizeOf(file);
                firstFile = file.number() + 1;
            }
        }
    }
}

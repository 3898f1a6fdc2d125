package io.forebay.log.journal;

import java.util.ArrayList;
import java.util.List;

/** Files of one journal that take no more frames and were not deleted, in order. Any thread. */
final class ClosedFiles {

    private final Object lock = new Object();
    /** Replaced as a whole, under the lock. */
    private volatile List<ClosedFile> files = List.of();

    List<ClosedFile> all() {
        return files;
    }

    /** Adds one with a higher number than all before. */
    void add(ClosedFile file) {
        synchronized (lock) {
            List<ClosedFile> more = new ArrayList<>(files);
            more.add(file);
            files = List.copyOf(more);
        }
    }

    void deletedUpTo(long number) {
        synchronized (lock) {
            files = files.stream().filter(f -> f.number() > number).toList();
        }
    }
}

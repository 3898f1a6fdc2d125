package io.forebay.log.partition;

import io.forebay.log.journal.JournalPath;
import io.forebay.store.ObjectKey;

/** One journal file as one shard sees it: which it is and up to where the shard knows it to be readable. Owned by the shard loop. */
public final class JournalFile {

    private final JournalPath path;
    private final long number;
    private final ObjectKey key;
    private int readableTo;

    public JournalFile(JournalPath path, long number) {
        this.path = path;
        this.number = number;
        this.key = path.file(number);
    }

    public JournalPath path() {
        return path;
    }

    public long number() {
        return number;
    }

    public ObjectKey key() {
        return key;
    }

    /** Everything before this position is durable and inside the file's end. */
    public int readableTo() {
        return readableTo;
    }

    public void readableTo(int position) {
        readableTo = Math.max(readableTo, position);
    }
}

package io.forebay.log.partition;

import io.forebay.log.cache.ReadStream;

/**
 * Guesses which reader of a partition asks, by the offset where its last read ended, so that each gets its own read-ahead.
 * Owned by the shard loop.
 */
final class ReadStreams {

    /** Readers of old data that are told apart; more of them share. */
    private static final int MOST = 4;

    private final Reader[] readers = new Reader[MOST];
    private int count;
    private long uses;

    /** One reader. Between {@link ReadStreams#take} and {@link #done} nobody else gets it. */
    static final class Reader {
        final ReadStream stream = new ReadStream();
        private long nextOffset = -1;
        private long lastUse;
        private boolean busy;

        /** @param readTo one more than the last offset that was read; −1 if nothing was */
        void done(long readTo) {
            busy = false;
            nextOffset = readTo;
        }
    }

    Reader take(long offset) {
        Reader oldest = null;
        for (int i = 0; i < count; i++) {
            Reader reader = readers[i];
            if (!reader.busy && reader.nextOffset == offset) {
                return use(reader);
            }
            if (!reader.busy && (oldest == null || reader.lastUse < oldest.lastUse)) {
                oldest = reader;
            }
        }
        Reader fresh = new Reader();
        if (count < MOST) {
            readers[count++] = fresh;
        } else if (oldest != null) {
            for (int i = 0; i < count; i++) {
                if (readers[i] == oldest) {
                    readers[i] = fresh;
                }
            }
        }
        return use(fresh);
    }

    private Reader use(Reader reader) {
        reader.busy = true;
        reader.lastUse = ++uses;
        return reader;
    }
}

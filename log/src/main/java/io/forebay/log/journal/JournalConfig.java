package io.forebay.log.journal;

/**
 * Limits of one journal lane.
 *
 * @param fileBytes a file is closed when it is at least this long (frames only, before index and trailer)
 * @param fileFrames a file is closed when it holds this many frames: bounds the index that is built in memory (69 bytes per frame)
 * @param groupBytes most bytes that go into one append; a single larger frame goes alone
 * @param appendTimeoutMs an append or create that gave no answer for this long counts as failed, or unknown
 * @param createTries consecutive new files that may fail before the session ends
 * @param retryMs pause before the second try; grows by as much with each further one
 * @param lingerMs where files are put whole: time between the beginnings of two puts in the long run, unless {@code groupBytes} wait. Each put costs
 *     money; after a rest the first one goes at once and the next few sooner ({@link PutPace})
 * @param puts where files are put whole: how many may be on their way at a time, 1 to {@link #MAX_PUTS}
 */
public record JournalConfig(
        int fileBytes,
        int fileFrames,
        int groupBytes,
        long appendTimeoutMs,
        int createTries,
        long retryMs,
        long lingerMs,
        int puts) {

    public static final JournalConfig DEFAULT = new JournalConfig(128 << 20, 200_000, 8 << 20, 10_000, 4, 100, 250, 8);

    /** Part of the format: so many files, less one, may lie above a missing one. */
    public static final int MAX_PUTS = 16;

    /** Leaves room for the largest body, the index and the trailer below the 2 GiB that a position can name. */
    private static final int MAX_FILE_BYTES = 1 << 30;

    public JournalConfig {
        require(fileBytes > 0 && fileBytes <= MAX_FILE_BYTES, "journal.file.bytes is 1 to " + MAX_FILE_BYTES);
        require(fileFrames > 0, "a journal file holds at least one frame");
        require(groupBytes > 0 && groupBytes <= MAX_FILE_BYTES / 2, "journal group bytes: " + groupBytes);
        require(appendTimeoutMs > 0, "journal.append.timeout.ms is positive");
        require(createTries > 0, "at least one try to create a file");
        require(retryMs >= 0, "the pause between tries is not negative");
        require(lingerMs >= 0, "journal.linger.ms is not negative");
        require(puts > 0 && puts <= MAX_PUTS, "journal.puts is 1 to " + MAX_PUTS);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}

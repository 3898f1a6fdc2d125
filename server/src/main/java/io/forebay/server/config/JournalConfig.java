package io.forebay.server.config;

/**
 * The node's journal.
 *
 * @param fileBytes size at which a file is closed and the next one begins
 * @param appendTimeoutMs a write without an answer for so long counts as failed
 * @param unretiredBytes size of all files still needed above which the oldest is made superfluous by flushing shards
 * @param lingerMs on a store without append: time between the beginnings of two puts in the long run
 * @param puts on a store without append: how many puts may be on their way at a time
 */
public record JournalConfig(
        long fileBytes, int lanes, long appendTimeoutMs, long unretiredBytes, long lingerMs, int puts) {}

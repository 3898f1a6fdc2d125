package io.forebay.server.config;

/**
 * The node's journal.
 *
 * @param fileBytes size at which a file is closed and the next one begins
 * @param appendTimeoutMs a write without an answer for so long counts as failed
 * @param unretiredBytes size of all files still needed above which the oldest is made superfluous by flushing shards
 * @param lingerMs on a store without append: least time between the beginnings of two puts
 */
public record JournalConfig(long fileBytes, int lanes, long appendTimeoutMs, long unretiredBytes, long lingerMs) {}

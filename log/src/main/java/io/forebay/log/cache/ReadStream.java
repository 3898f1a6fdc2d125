package io.forebay.log.cache;

/**
 * Remembers how one reader moves through objects, so that reading ahead fits it. One per reader (a consumer's partition, a
 * merge); owned by whoever reads, one read at a time.
 */
public final class ReadStream {}

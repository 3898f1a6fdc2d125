package io.forebay.log.partition;

/** What a reader asks for; see {@link PartitionLog#readCached}. */
record Wanted(long offset, long limitOffset, int maxBytes, boolean minOneBatch) {}

/**
 * The shared log: many partitions over one sequential journal per node, kept in the store.
 *
 * <p>The way of a record: {@code partition.PartitionLog.append} (shard loop) hands a batch to {@code journal.Journal} (journal
 * loop), which copies it into a page, writes and syncs pages in groups, and reports back; only then does the partition's high
 * watermark move. Later {@code shard} flushes what lies in the journal into {@code segment}s, names them in the
 * {@code manifest}, merges them, and lets journal files go. {@code cache} keeps the last pages for readers.
 *
 * <p>What is kept true is in docs/rfcs/0003-log.md, the bytes in docs/formats. Read first: {@code journal.Journal},
 * {@code shard.Shard}.
 */
@NullMarked
package io.forebay.log;

import org.jspecify.annotations.NullMarked;

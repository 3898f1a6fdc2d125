/**
 * The journal: one append-only stream of frames per session and lane, its files, their index, fencing, replay and cleaning.
 *
 * <p>Acknowledged means: durable in the store, in order. What is kept true, whatever fails:
 *
 * <ul>
 *   <li>numbers of a lane's files are dense; a file whose append failed is never touched again, and a later file's header states how
 *       much of it counts;
 *   <li>a session is fenced by a tombstone at the first number above all that any object says was written, and only then are the files
 *       below it sealed; after that everybody finds the same frames, for ever, and what lies above the tombstone is not part of the journal;
 *   <li>what is damaged is named, never skipped in silence.
 * </ul>
 *
 * <p>Threads: a {@link io.forebay.log.journal.Journal} is owned by its journal loop, the one loop that may block on the store; any thread
 * may append. Fences and cleaners are owned by the loop they are given; a {@link io.forebay.log.journal.SessionIndex} is immutable.
 *
 * <p>Read first: {@link io.forebay.log.journal.Journal}, {@link io.forebay.log.journal.JournalFence}. Formats: docs/formats/journal.md;
 * reasons: docs/rfcs/0003-log.md.
 */
@NullMarked
package io.forebay.log.journal;

import org.jspecify.annotations.NullMarked;

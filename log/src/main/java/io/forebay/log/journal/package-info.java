/**
 * The journal: one append-only stream of frames per session, its files, their index, fencing and replay.
 *
 * <p>Acknowledged means: durable in the store, in order. Formats: docs/formats/journal.md. Threads: everything mutable is owned by the
 * journal loop, except {@link io.forebay.log.journal.Journal#append}, which any loop may call.
 */
@NullMarked
package io.forebay.log.journal;

import org.jspecify.annotations.NullMarked;

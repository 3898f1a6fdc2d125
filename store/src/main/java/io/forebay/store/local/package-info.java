/**
 * The back end that keeps objects as files in one folder, for one machine: the embedded default.
 *
 * <p>An object is a file under the folder, its key is its path. What begins with a dot is not an object: {@code
 * .forebay/} holds the format marker, the lock, temporary files and the reserve; {@code .NAME.sealed} beside a file holds
 * its sealed end. The page {@code docs/formats/store-local.md} draws it.
 *
 * <p>What is kept true:
 * <ul>
 *   <li>a file gets its final name by a hard link, when its bytes are on the disk; the link is reported when the folder
 *       is on the disk too, and all folders above it;
 *   <li>a writer writes, syncs, then looks for its successor, in this order; a fencer reads the end only after the
 *       successor exists, syncs, then fixes the end by a hard link of the marker: whichever comes first, what was
 *       acknowledged lies inside the end;
 *   <li>a file whose write or sync failed is never written again;
 *   <li>several processes may share a folder on one kernel; network file systems are refused. The lock guards against
 *       starting the same node twice, nothing else.
 * </ul>
 *
 * <p>Threads: thread-safe. Blocking work runs on the executor given by the caller; {@code append} runs on its caller's
 * thread. An interrupt closes a {@link java.nio.channels.FileChannel}: reads open the file again, a writer fails.
 *
 * <p>Read first: {@link io.forebay.store.local.LocalStore}, {@link io.forebay.store.local.LocalAppender}.
 */
@NullMarked
package io.forebay.store.local;

import org.jspecify.annotations.NullMarked;

/**
 * The back end that keeps objects as files in one folder of HDFS, for clusters that stand beside Hadoop. Types of Hadoop end here, and
 * none of them is loaded unless somebody opens an {@code hdfs:} store.
 *
 * <p>An object is a file under the folder, its key is its path. {@code .forebay/} holds the format marker and objects in the making. The
 * page {@code docs/formats/store-hdfs.md} draws it, RFC 0006 says why.
 *
 * <p>What is kept true:
 * <ul>
 *   <li>a put file gets its name by a rename that refuses to overwrite, when its bytes are on enough DataNodes; the NameNode's answer
 *       decides, and after a lost answer the file's number at the name, which a rename does not change;
 *   <li>a file that is appended to is fenced by its lease: recovering it takes the replicas away from the writer, so a flush that all
 *       of the writer's DataNodes acknowledged lies inside the recovered length;
 *   <li>a flush counts only when enough DataNodes hold the file's block after it; a file that lost a DataNode, or whose flush failed
 *       or took too long, is never written again;
 *   <li>no length that the NameNode tells of an open file is believed.
 * </ul>
 *
 * <p>Threads: thread-safe. Blocking work runs on the executor given by the caller; {@code append} runs on its caller's thread and is
 * interrupted there by a timer when it takes too long. Threads of the Hadoop client are its own: one or two for each open file that is
 * written, one that renews leases.
 *
 * <p>Read first: {@link io.forebay.store.hdfs.HdfsStore}, {@link io.forebay.store.hdfs.HdfsAppender}, {@link
 * io.forebay.store.hdfs.HdfsSealer}.
 */
@NullMarked
package io.forebay.store.hdfs;

import org.jspecify.annotations.NullMarked;

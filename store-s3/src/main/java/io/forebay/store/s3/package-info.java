/**
 * The shared store in a bucket of S3, or of anything that speaks its protocol and keeps {@code If-None-Match: *}.
 *
 * <p>An object is made by one conditional PUT, or by a multipart upload whose completion is conditional; there is no appending, so
 * there is nothing to seal. {@link io.forebay.store.s3.S3Store} says what each operation does; {@code ConditionalPut} is where the
 * care lies: what an answer means after one that never came.
 *
 * <p>What is kept true: a put that is told WRITTEN was made by that very call (each call leaves a name of its own in the object's
 * metadata); a time-out is OUTCOME_UNKNOWN, never a failure; the SDK repeats nothing by itself, so every repetition is known here; a store
 * that throttles is asked less, and callers wait.
 *
 * <p>Threads: requests begin on the executor handed in, pauses run out on the loop handed in; the SDK has threads of its own for
 * sockets and time-outs. Futures complete on the executor. Types of the SDK do not leave this package. Read first: {@code S3Store},
 * {@code ConditionalPut}; reasons: docs/rfcs/0005-store-s3.md.
 */
@NullMarked
package io.forebay.store.s3;

import org.jspecify.annotations.NullMarked;

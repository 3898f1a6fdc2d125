/**
 * The systems that are compared, as processes: {@link io.forebay.bench.target.KafkaTarget} and
 * {@link io.forebay.bench.target.ForebayTarget}. A target can be started on a data folder any number of times, also
 * after a kill; {@link io.forebay.bench.target.Running} is one run of it.
 *
 * <p>Kept true: everything listens on 127.0.0.1; every process is registered in
 * {@link io.forebay.bench.target.Children} before anybody waits for it, and ended by its id when this JVM ends, however
 * it ends short of SIGKILL.
 */
@NullMarked
package io.forebay.bench.target;

import org.jspecify.annotations.NullMarked;

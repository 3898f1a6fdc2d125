package io.forebay.log.partition;

import io.forebay.model.ByteRun;

/**
 * Checked batches.
 *
 * @param nextOffset one more than the last offset of the run
 */
record CutRun(ByteRun run, long nextOffset) {}

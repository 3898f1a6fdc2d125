package io.forebay.log.partition;

import io.forebay.model.ByteRun;

/**
 * One batch that was found; whoever gets it looks for the record in it and releases the bytes.
 *
 * @param baseOffset of the batch
 * @param nextOffset one more than the last offset of the batch
 * @param batch its bytes
 */
public record BatchSpot(long baseOffset, long nextOffset, ByteRun batch) {}

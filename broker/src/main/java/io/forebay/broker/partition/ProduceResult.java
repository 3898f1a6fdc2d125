package io.forebay.broker.partition;

import org.apache.kafka.common.protocol.Errors;

/**
 * What became of one produced batch.
 *
 * @param baseOffset first offset, −1 on an error
 * @param logAppendTimeMs −1 unless the topic stamps the log's time
 * @param logStartOffset −1 if not known
 * @param message what was wrong, empty if nothing
 */
public record ProduceResult(Errors error, long baseOffset, long logAppendTimeMs, long logStartOffset, String message) {

    public static ProduceResult failed(Errors error, String message) {
        return new ProduceResult(error, -1, -1, -1, message);
    }
}

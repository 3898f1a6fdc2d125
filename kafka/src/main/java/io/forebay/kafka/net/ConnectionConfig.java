package io.forebay.kafka.net;

/**
 * What every connection keeps to.
 *
 * @param requestMaxBytes longest frame that is read
 * @param pipelinedRequestsMax requests of one connection that may be under way at once
 * @param maxIdleMs a connection that neither asked nor was answered for so long is closed
 * @param writeLowBytes see {@code writeHighBytes}
 * @param writeHighBytes with more than so much waiting to be sent, no further request of the connection starts, and no more of a large answer is
 *     handed to the socket, until no more than {@code writeLowBytes} wait
 */
public record ConnectionConfig(
        int requestMaxBytes, int pipelinedRequestsMax, long maxIdleMs, int writeLowBytes, int writeHighBytes) {

    public static ConnectionConfig of(int requestMaxBytes, long maxIdleMs) {
        return new ConnectionConfig(requestMaxBytes, 64, maxIdleMs, 128 * 1024, 512 * 1024);
    }
}

package io.forebay.kafka.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCounted;
import java.util.ArrayDeque;

/**
 * Parts of answers that were not yet handed to the channel. It gets them only as long as less waits in it to be sent than its limit: of a large answer the socket takes one portion in a
 * turn of the loop, and what others want of the loop is done before the next. Netty alone would send all that the socket takes, megabytes, before it looks at other sockets.
 *
 * <p>Owned by the connection's event loop.
 */
final class Outbox {

    private record Part(ReferenceCounted bytes, ChannelPromise promise) {}

    private final Channel channel;
    private final ArrayDeque<Part> waiting = new ArrayDeque<>();

    Outbox(Channel channel) {
        this.channel = channel;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Takes over the next part; flushing is the caller's business. */
    void write(ReferenceCounted bytes, ChannelPromise promise) {
        Part part = new Part(bytes, promise);
        if (waiting.isEmpty() && channel.isWritable()) {
            hand(part);
        } else {
            waiting.add(part);
        }
    }

    /** Hands the channel as much as it takes. */
    void handOver() {
        while (!waiting.isEmpty() && channel.isWritable()) {
            hand(waiting.remove());
        }
    }

    /** Hands over everything, however much that is, because nothing follows. A channel that is closed lets go of it. */
    void handOverAll() {
        while (!waiting.isEmpty()) {
            hand(waiting.remove());
        }
    }

    private void hand(Part part) {
        var unused = channel.write(part.bytes(), part.promise());
    }
}

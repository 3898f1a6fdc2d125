package io.forebay.kafka.net;

import io.netty.channel.DefaultFileRegion;
import io.netty.channel.DefaultMessageSizeEstimator;
import io.netty.channel.MessageSizeEstimator;
import java.nio.channels.FileChannel;

/** Bytes that the system sends from a file. The file belongs to somebody else and stays open. */
final class FilePiece extends DefaultFileRegion {

    /** Counts pieces of files as what waits to be sent, as if they lay in memory. Netty takes them for nothing: a client that does not read could then ask without end. */
    static final MessageSizeEstimator SIZES = () -> {
        MessageSizeEstimator.Handle others = DefaultMessageSizeEstimator.DEFAULT.newHandle();
        return message -> message instanceof FilePiece piece ? Math.toIntExact(piece.count()) : others.size(message);
    };

    FilePiece(FileChannel file, long position, long count) {
        super(file, position, count);
    }

    @Override
    protected void deallocate() {
        // Whoever lent the bytes is told when the answer is gone.
    }
}

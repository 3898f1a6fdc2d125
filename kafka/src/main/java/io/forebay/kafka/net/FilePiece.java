package io.forebay.kafka.net;

import io.forebay.model.SharedFile;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.DefaultMessageSizeEstimator;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.unix.Errors;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;

/** Bytes that the system sends from a file. The file belongs to somebody else and stays open. */
final class FilePiece extends DefaultFileRegion {

    /** Counts pieces of files as what waits to be sent, as if they lay in memory. Netty takes them for nothing: a client that does not read could then ask without end. */
    static final MessageSizeEstimator SIZES = () -> {
        MessageSizeEstimator.Handle others = DefaultMessageSizeEstimator.DEFAULT.newHandle();
        return message -> message instanceof FilePiece piece ? Math.toIntExact(piece.count()) : others.size(message);
    };

    /** What the system says when a disk cannot be read. */
    private static final int INPUT_OUTPUT_ERROR = -5;

    private final SharedFile file;

    FilePiece(SharedFile file, long position, long count) {
        super(file.channel(), position, count);
        this.file = file;
    }

    /** The object that the file holds. */
    String object() {
        return file.name();
    }

    /**
     * Whether a failure to send this lies with the file and not with the client: the file ends before the piece does, or cannot be read.
     *
     * @param cause what sending failed with
     */
    boolean isAtFault(Throwable cause) {
        if (cause instanceof ClosedChannelException) {
            return false;
        }
        if (cause instanceof Errors.NativeIoException failed && failed.expectedErr() == INPUT_OUTPUT_ERROR) {
            return true;
        }
        FileChannel channel = file.channel();
        try {
            return channel.isOpen() && channel.size() < position() + count();
        } catch (IOException unreadable) {
            return channel.isOpen();
        }
    }

    @Override
    protected void deallocate() {
        // Whoever lent the bytes is told when the answer is gone.
    }
}

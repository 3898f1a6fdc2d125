package io.forebay.store.hdfs;

import java.io.IOException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Collection;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the Hadoop client knows of a file being written and does not show: which DataNodes it must not choose, which block it is
 * writing, and how to let go of it at once. Reached by reflection, all in here; a client that has changed costs these three and no
 * promise: DataNodes are then chosen by the NameNode alone, none is asked whether it lives, and a stream is closed instead.
 */
final class StreamInsides {

    private static final Logger LOG = LoggerFactory.getLogger(StreamInsides.class);

    private static final @Nullable Method STREAMER = method(DFSOutputStream.class, "getStreamer");
    private static final @Nullable Field EXCLUDED = field(STREAMER, "excludedNodes");
    private static final @Nullable Method BLOCK = method(DFSOutputStream.class, "getBlock");
    private static final @Nullable Method ABORT = method(DFSOutputStream.class, "abort");

    private StreamInsides() {}

    /** Whether everything in here works with the client on the class path. */
    static boolean complete() {
        return STREAMER != null && EXCLUDED != null && BLOCK != null && ABORT != null;
    }

    /** Keeps the nodes out of blocks that the stream begins from now on. */
    static void exclude(DFSOutputStream stream, Collection<DatanodeInfo> nodes) {
        if (STREAMER == null || EXCLUDED == null || nodes.isEmpty()) {
            return;
        }
        try {
            Object cache = EXCLUDED.get(STREAMER.invoke(stream));
            Method put = EXCLUDED.getType().getMethod("put", Object.class, Object.class);
            for (DatanodeInfo node : nodes) {
                put.invoke(cache, node, node);
            }
        } catch (ReflectiveOperationException changed) {
            LOG.warn("this version of the Hadoop client takes no list of DataNodes to leave out", changed);
        }
    }

    /** The block that is being written, on these nodes; null if there is none or nobody can tell. */
    static @Nullable LocatedBlock block(DFSOutputStream stream, DatanodeInfo[] nodes) {
        if (BLOCK == null) {
            return null;
        }
        try {
            return BLOCK.invoke(stream) instanceof ExtendedBlock block ? new LocatedBlock(block, nodes) : null;
        } catch (ReflectiveOperationException changed) {
            return null;
        }
    }

    /** Ends the stream's threads and its hold on the lease, without a word to the DataNodes or the NameNode. */
    static void abort(DFSOutputStream stream) throws IOException {
        if (ABORT == null) {
            stream.close();
            return;
        }
        try {
            var unused = ABORT.invoke(stream);
        } catch (InvocationTargetException failed) {
            throw new IOException("cannot abort a stream", failed.getCause());
        } catch (IllegalAccessException changed) {
            stream.close();
        }
    }

    private static @Nullable Method method(Class<?> owner, String name) {
        try {
            return opened(owner.getDeclaredMethod(name));
        } catch (ReflectiveOperationException | RuntimeException changed) {
            LOG.warn("this version of the Hadoop client has no {}.{}()", owner.getSimpleName(), name);
            return null;
        }
    }

    private static @Nullable Field field(@Nullable Method holder, String name) {
        try {
            return holder == null ? null : opened(holder.getReturnType().getDeclaredField(name));
        } catch (ReflectiveOperationException | RuntimeException changed) {
            LOG.warn("this version of the Hadoop client has no field {}", name);
            return null;
        }
    }

    private static <T extends AccessibleObject> T opened(T member) {
        member.setAccessible(true);
        return member;
    }
}

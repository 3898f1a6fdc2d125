package io.forebay.store.hdfs;

import io.forebay.store.BlockingWork;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;

/** One file that this process has made and is writing. One thread at a time, except {@link #abort}. */
final class WritingFile {

    private static final int SCRATCH_BYTES = 64 << 10;

    private final DFSClient client;
    private final String path;
    private final FSDataOutputStream out;
    private final DFSOutputStream stream;
    private final HdfsConfig.Sync sync;
    private final FlushWatch watch;
    private byte @Nullable [] scratch;
    private long written;
    private boolean late;
    /** The DataNodes that the file began with, and those it was last seen with. */
    private List<DatanodeInfo> first = List.of();

    private List<DatanodeInfo> last = List.of();

    WritingFile(DFSClient client, String path, FSDataOutputStream out, HdfsConfig.Sync sync, FlushWatch watch)
            throws IOException {
        this.client = client;
        this.path = path;
        this.out = out;
        this.sync = sync;
        this.watch = watch;
        if (out instanceof HdfsDataOutputStream hdfs && hdfs.getWrappedStream() instanceof DFSOutputStream known) {
            this.stream = known;
        } else {
            throw new IOException("not a stream of HDFS: " + out.getClass().getName());
        }
        watch.start();
    }

    String path() {
        return path;
    }

    /** The file's number in HDFS, which a rename does not change. */
    long fileId() {
        return stream.getFileId();
    }

    void exclude(List<DatanodeInfo> nodes) {
        StreamInsides.exclude(stream, nodes);
    }

    /** The buffer's own position stays. */
    void write(ByteBuffer bytes) throws IOException {
        inTime(() -> copy(bytes));
    }

    private void copy(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        if (bytes.hasArray()) {
            out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), length);
        } else {
            byte[] copy = scratch;
            if (copy == null) {
                copy = new byte[SCRATCH_BYTES];
                scratch = copy;
            }
            for (int done = 0; done < length; ) {
                int count = Math.min(copy.length, length - done);
                bytes.get(bytes.position() + done, copy, 0, count);
                out.write(copy, 0, count);
                done += count;
            }
        }
        written += length;
    }

    /** Waits until all DataNodes of the file have everything, in memory or on disk as the setting says. */
    void flush() throws IOException {
        inTime(sync == HdfsConfig.Sync.HSYNC ? out::hsync : out::hflush);
        DatanodeInfo[] nodes = stream.getPipeline();
        last = nodes == null ? List.of() : Arrays.asList(nodes);
        if (first.isEmpty()) {
            first = last;
        }
    }

    /** Bytes handed to {@link #write}. */
    long written() {
        return written;
    }

    /** How many DataNodes held the file after the last flush; 0: not known. */
    int holders() {
        return last.size();
    }

    /** DataNodes that the file began with and has lost; none if nobody knows. */
    List<DatanodeInfo> lost() {
        if (last.isEmpty()) {
            return List.of();
        }
        List<DatanodeInfo> gone = new ArrayList<>(first);
        gone.removeAll(last);
        return gone;
    }

    /** The block being written and the DataNodes it was last seen on, for asking them; null if there is none. */
    @Nullable
    LocatedBlock block() {
        DatanodeInfo[] now = stream.getPipeline();
        DatanodeInfo[] nodes = now != null ? now : last.toArray(new DatanodeInfo[0]);
        return nodes.length == 0 ? null : StreamInsides.block(stream, nodes);
    }

    /** Ends the file in good order, or lets go of it if that fails. Blocks. */
    void close() throws IOException {
        try {
            inTime(out::close);
            watch.stop();
        } catch (IOException | RuntimeException failed) {
            abort();
            throw failed;
        }
    }

    /** Lets go of the file, which stays open to the NameNode. */
    void abort() throws IOException {
        watch.stop();
        try {
            StreamInsides.abort(stream);
        } finally {
            // Else the client keeps the stream and renews its lease for as long as the process lives, and tries to
            // close it at the end.
            client.removeFileBeingWritten(stream.getUniqKey());
        }
    }

    /** Whether the last step failed because its time was up. */
    boolean late() {
        return late;
    }

    private void inTime(BlockingWork.Step step) throws IOException {
        watch.begin();
        try {
            step.run();
        } finally {
            late = watch.end();
        }
    }
}

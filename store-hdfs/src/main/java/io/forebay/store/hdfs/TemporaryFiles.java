package io.forebay.store.hdfs;

import io.forebay.store.ObjectKey;
import io.forebay.store.PutOutcome;
import io.forebay.store.StoreException;
import io.forebay.store.StoreException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes objects: bytes under a temporary name, then an exclusive rename. Thread-safe; everything blocks.
 *
 * <p>The NameNode decides who of several makers wins. When its answer is lost, the number of the file tells: a rename keeps it, so a file
 * with our number at the object's name is ours.
 */
final class TemporaryFiles {

    private static final Logger LOG = LoggerFactory.getLogger(TemporaryFiles.class);

    /** Folders may be removed as empty between our making them and the rename, again and again. */
    private static final int RENAMES = 50;

    /** Lost answers in a row after which nobody knows. */
    private static final int LOST_ANSWERS = 3;

    private static final int WRITES = 3;

    private final HdfsFolder folder;
    private final SmallObjects small;
    private final String own;
    private final AtomicLong numbers = new AtomicLong();

    /** @param process a name that no other process has */
    TemporaryFiles(HdfsFolder folder, SmallObjects small, String process) {
        this.folder = folder;
        this.small = small;
        this.own = all(folder) + "/" + process;
    }

    /** The folder with those of all processes. */
    static String all(HdfsFolder folder) {
        return folder.corner() + "/tmp";
    }

    /** The folder of this process. */
    String own() {
        return own;
    }

    /** A complete file that has its temporary name still. */
    private record Complete(String path, long fileId) {}

    /** Creates the object unless the name is taken. */
    PutOutcome put(ObjectKey key, ByteBuffer content) throws IOException {
        if (small.takes(content.remaining())) {
            Complete file = small(key, content);
            if (file != null) {
                return publish(file, key);
            }
        }
        HdfsFileStatus there = folder.status(folder.path(key));
        if (there != null) {
            return taken(key, there, -1);
        }
        for (int attempt = 1; ; attempt++) {
            WritingFile file = create();
            try {
                file.write(content);
                complete(file);
                return publish(file, key);
            } catch (IOException failed) {
                learn(file, failed);
                discard(file);
                if (attempt == WRITES || !worthATry(failed)) {
                    throw failed;
                }
                LOG.info("writing '{}' failed, trying again elsewhere: {}", key, failed.toString());
            } catch (StoreException refused) {
                discard(file);
                throw refused;
            }
        }
    }

    /** Null: it is to be written into a block, which also tells better what is wrong. Nobody is asked for the name before: it is rarely taken. */
    private @Nullable Complete small(ObjectKey key, ByteBuffer content) throws IOException {
        String path = next();
        try {
            Long fileId = small.make(path, content);
            if (fileId != null) {
                return new Complete(path, fileId);
            }
        } catch (IOException failed) {
            drop(path);
            if (HdfsErrors.unreachable(failed)) {
                throw failed;
            }
            LOG.info("'{}' is written as a block: {}", key, failed.toString());
            return null;
        }
        drop(path);
        return null;
    }

    /** Whether other DataNodes may take what these did not. */
    private static boolean worthATry(IOException failure) {
        return HdfsErrors.placeless(failure) || !(HdfsErrors.refused(failure) || HdfsErrors.unreachable(failure));
    }

    /** Finds out what a failure tells about DataNodes. */
    void learn(WritingFile file, IOException failure) {
        if (!(failure instanceof TooFewDataNodesException)) {
            folder.learn(file, failure);
        }
    }

    WritingFile create() throws IOException {
        return folder.create(next());
    }

    private String next() {
        return own + "/" + numbers.incrementAndGet();
    }

    /** Makes sure that enough DataNodes have all of it, and ends the file. */
    void complete(WritingFile file) throws IOException {
        if (file.written() > 0) {
            file.flush();
            folder.learn(file);
            if (file.holders() < folder.config().minDataNodes()) {
                throw new TooFewDataNodesException("only " + file.holders()
                        + " DataNodes took the data and store.hdfs.min.datanodes is "
                        + folder.config().minDataNodes()
                        + ": start more DataNodes or, if the cluster has no more, lower it");
            }
        }
        file.close();
    }

    /** Gives a complete file the name of the key, unless that is taken. Its temporary name is gone afterwards, or will be cleaned up. */
    PutOutcome publish(WritingFile file, ObjectKey key) throws IOException {
        return publish(new Complete(file.path(), file.fileId()), key);
    }

    private PutOutcome publish(Complete file, ObjectKey key) throws IOException {
        String name = folder.path(key);
        int lost = 0;
        for (int attempt = 1; ; attempt++) {
            try {
                folder.client().rename(file.path(), name, Options.Rename.NONE);
                return PutOutcome.WRITTEN;
            } catch (IOException failed) {
                if (HdfsErrors.refused(failed)) {
                    PutOutcome known = afterRefusal(file, key, attempt, failed);
                    if (known != null) {
                        return known;
                    }
                } else {
                    LOG.warn("whether '{}' was put is not known yet: {}", key, failed.toString());
                    PutOutcome known = afterLostAnswer(file, name, ++lost);
                    if (known != null) {
                        return known;
                    }
                }
            }
        }
    }

    /** What the NameNode's no means; null: try again. */
    private @Nullable PutOutcome afterRefusal(Complete file, ObjectKey key, int attempt, IOException refusal)
            throws IOException {
        String name = folder.path(key);
        HdfsFileStatus there = folder.status(name);
        if (there != null) {
            PutOutcome outcome = taken(key, there, file.fileId());
            if (outcome == PutOutcome.ALREADY_EXISTS) {
                drop(file.path());
            }
            return outcome;
        }
        if (HdfsErrors.taken(refusal)) {
            // It was there a moment ago.
            drop(file.path());
            return PutOutcome.ALREADY_EXISTS;
        }
        if (HdfsErrors.notAFolder(refusal)) {
            throw new StoreException(Kind.INVALID, "'" + key + "' lies below another object", refusal);
        }
        if (HdfsErrors.missing(refusal) && attempt < RENAMES && folder.status(file.path()) != null) {
            folder.makeFolder(HdfsFolder.parent(name));
            return null;
        }
        throw refusal;
    }

    /** What is found after a rename whose answer was lost; null: try again. */
    private @Nullable PutOutcome afterLostAnswer(Complete file, String name, int lost) {
        try {
            HdfsFileStatus there = folder.status(name);
            if (there != null) {
                return there.getFileId() == file.fileId() ? PutOutcome.WRITTEN : PutOutcome.ALREADY_EXISTS;
            }
        } catch (IOException noAnswerEither) {
            LOG.warn("cannot look for {}: {}", name, noAnswerEither.toString());
        }
        return lost < LOST_ANSWERS ? null : PutOutcome.OUTCOME_UNKNOWN;
    }

    private static PutOutcome taken(ObjectKey key, HdfsFileStatus there, long ownFileId) {
        if (there.isDirectory()) {
            throw new StoreException(Kind.INVALID, "'" + key + "' is a folder: it holds other objects");
        }
        return there.getFileId() == ownFileId ? PutOutcome.WRITTEN : PutOutcome.ALREADY_EXISTS;
    }

    /** Drops a file that got no name. What fails here is cleaned up later. */
    void discard(WritingFile file) {
        try {
            file.abort();
        } catch (IOException itIsDeletedNext) {
            // An open file may be deleted too.
        }
        drop(file.path());
    }

    private void drop(String path) {
        try {
            boolean unused = folder.client().delete(path, false);
        } catch (IOException later) {
            LOG.info("{} is left over: {}", path, later.toString());
        }
    }

    /** Fewer DataNodes hold the data than must. */
    static final class TooFewDataNodesException extends IOException {
        private static final long serialVersionUID = 1L;

        TooFewDataNodesException(String message) {
            super(message);
        }
    }
}

package io.forebay.store.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Small objects, which the NameNode keeps beside their names: a file without a block whose bytes are an extended attribute, and whose block size tells their number.
 * Thread-safe; everything blocks.
 *
 * <p>A block for a kilobyte costs three DataNodes a thread, two files and a report each, six times what the NameNode's own part costs. What is lost with the
 * NameNode's log is lost with the name as well, so the bytes are as safe there as the name is.
 */
final class SmallObjects {

    private static final Logger LOG = LoggerFactory.getLogger(SmallObjects.class);

    static final String ATTRIBUTE = "user.forebay";

    /** Block sizes from here on are no sizes of blocks: what they are above is the length. */
    static final long LENGTHS_FROM = 1L << 40;

    /** As much as any setting allows; an attribute has 16 KiB at most unless the NameNode is told otherwise. */
    static final int MAX_BYTES = 16_000;

    private final HdfsFolder folder;
    private final boolean known;
    private volatile boolean made;

    /** @param known whether the format of the folder has such objects */
    SmallObjects(HdfsFolder folder, boolean known) {
        this.folder = folder;
        this.known = known;
        this.made = known && folder.config().smallBytes() > 0;
    }

    /** How long an object is, by its closed file. */
    static long length(HdfsFileStatus status) {
        long above = status.getBlockSize() - LENGTHS_FROM;
        return status.getLen() == 0 && above > 0 && above <= MAX_BYTES ? above : status.getLen();
    }

    /** Whether an object of this length is made here. An empty one is a plain empty file. */
    boolean takes(int bytes) {
        return made && bytes > 0 && bytes <= folder.config().smallBytes();
    }

    /**
     * Makes a closed file that holds the content. After a failure the file may be there, or not.
     *
     * @return the file's number; null if the NameNode keeps no attributes here: {@link #takes} says no from then on
     */
    @Nullable
    Long make(String path, ByteBuffer content) throws IOException {
        DFSClient client = folder.client();
        ClientProtocol nameNode = client.getNamenode();
        byte[] bytes = new byte[content.remaining()];
        content.get(content.position(), bytes);
        HdfsFileStatus file = nameNode.create(
                path,
                FsPermission.getFileDefault().applyUMask(FsPermission.getUMask(folder.settings())),
                client.getClientName(),
                new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE, CreateFlag.SHOULD_REPLICATE)),
                true,
                (short) folder.replication(),
                LENGTHS_FROM + bytes.length,
                CryptoProtocolVersion.supported(),
                null,
                null);
        if (file.getFileEncryptionInfo() != null) {
            neverAgain("the folder is encrypted, and attributes are not");
            return null;
        }
        try {
            client.setXAttr(path, ATTRIBUTE, bytes, EnumSet.of(XAttrSetFlag.CREATE));
        } catch (RemoteException refused) {
            if (HdfsErrors.withoutAttributes(refused)) {
                neverAgain(refused.getMessage());
                return null;
            }
            throw refused;
        }
        if (!nameNode.complete(path, client.getClientName(), null, file.getFileId())) {
            throw new IOException("the NameNode does not close " + path);
        }
        return file.getFileId();
    }

    private void neverAgain(@Nullable String why) {
        made = false;
        LOG.info("small objects are written as blocks like large ones: {}", why);
    }

    /** The object's bytes; null: they are in blocks, or there are none. Fails like any request if there is no such file. */
    byte @Nullable [] content(String path) throws IOException {
        if (!known) {
            return null;
        }
        try {
            return folder.client().getXAttrs(path).get(ATTRIBUTE);
        } catch (RemoteException refused) {
            if (HdfsErrors.withoutAttributes(refused)) {
                return null;
            }
            throw refused;
        }
    }
}

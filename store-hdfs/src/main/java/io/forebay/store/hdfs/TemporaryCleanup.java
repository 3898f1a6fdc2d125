package io.forebay.store.hdfs;

import io.forebay.model.Loop;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes temporary files that dead processes left, at the start and once an hour. Thread-safe.
 *
 * <p>A file that is open has a writer, or one whose lease has not ended yet; a closed one is renamed or deleted by a living maker within
 * moments. Age is told by the NameNode's clock alone: the time at which it made our own folder.
 */
final class TemporaryCleanup {

    private static final Logger LOG = LoggerFactory.getLogger(TemporaryCleanup.class);

    private static final long EVERY_MS = 3_600_000;
    private static final long LEFT_OVER_AGE_MS = 3_600_000;

    private final HdfsFolder folder;
    private final HdfsWork work;
    private final Loop timers;
    private final String own;
    private volatile boolean stopped;

    TemporaryCleanup(HdfsFolder folder, HdfsWork work, Loop timers, String own) {
        this.folder = folder;
        this.work = work;
        this.timers = timers;
        this.own = own;
    }

    void start() {
        if (stopped) {
            return;
        }
        var unused = work.runStep("cannot remove temporary files", this::clean).whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.info("temporary files of dead processes stay for now: {}", failure.getMessage());
            }
            var unusedTimer = timers.schedule(this::start, EVERY_MS);
        });
    }

    void stop() {
        stopped = true;
    }

    /** Removes what is old. */
    void clean() throws IOException {
        clean(LEFT_OVER_AGE_MS);
    }

    void clean(long ageMs) throws IOException {
        String probe = own + "/now";
        folder.makeFolder(probe);
        HdfsFileStatus made = folder.status(probe);
        boolean unused = folder.client().delete(probe, false);
        if (made == null) {
            return;
        }
        long before = made.getModificationTime() - ageMs;
        String all = TemporaryFiles.all(folder);
        byte[] after = HdfsFileStatus.EMPTY_NAME;
        while (true) {
            DirectoryListing page = folder.client().listPaths(all, after);
            if (page == null) {
                return;
            }
            for (HdfsFileStatus process : page.getPartialListing()) {
                String path = all + "/" + process.getLocalName();
                if (process.isDirectory() && !path.equals(own)) {
                    cleanProcess(path, process, before);
                }
            }
            if (!page.hasMore()) {
                return;
            }
            after = page.getLastName();
        }
    }

    private void cleanProcess(String path, HdfsFileStatus process, long before) throws IOException {
        int removed = 0;
        DirectoryListing page = folder.client().listPaths(path, HdfsFileStatus.EMPTY_NAME);
        if (page == null) {
            return;
        }
        // The rest of a very full folder comes at the next time.
        for (HdfsFileStatus file : page.getPartialListing()) {
            String name = path + "/" + file.getLocalName();
            if (file.isFile()
                    && file.getModificationTime() < before
                    && folder.client().isFileClosed(name)) {
                boolean unused = folder.client().delete(name, false);
                removed++;
            }
        }
        if (removed > 0) {
            LOG.info("removed {} temporary files that a dead process left in {}", removed, path);
        }
        if (page.getPartialListing().length == removed && process.getModificationTime() < before) {
            folder.removeEmpty(path);
        }
    }
}

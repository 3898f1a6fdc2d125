package io.forebay.store.local;

import io.forebay.model.Clock;
import io.forebay.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens a folder as a store: checks that it may be used, makes what is missing, locks it, cleans up after a crash. */
final class FolderStart {

    private static final Logger LOG = LoggerFactory.getLogger(FolderStart.class);

    private static final String FORMAT_NAME = "forebay local store";
    private static final int FORMAT_VERSION = 1;

    /** File systems shared by several kernels: there a look may miss what another machine made. */
    private static final Set<String> SHARED_FILE_SYSTEMS = Set.of(
            "nfs",
            "nfs4",
            "cifs",
            "smb",
            "smb2",
            "smb3",
            "smbfs",
            "smbfs2",
            "9p",
            "afs",
            "ncpfs",
            "davfs",
            "davfs2",
            "ceph",
            "glusterfs",
            "lustre",
            "gpfs",
            "beegfs",
            "ocfs2",
            "gfs2",
            "vboxsf",
            "vmhgfs",
            "prl_fs",
            "orangefs",
            "coda");

    private static final Set<String> SHARED_FUSE = Set.of(
            "sshfs",
            "s3fs",
            "goofys",
            "rclone",
            "gcsfuse",
            "davfs2",
            "glusterfs",
            "ceph",
            "vmhgfs-fuse",
            "juicefs",
            "curlftpfs");

    private final LocalConfig config;
    private final Disk disk;

    private FolderStart(LocalConfig config, Disk disk) {
        this.config = config;
        this.disk = disk;
    }

    /** @throws StoreException INVALID with a message that says what is wrong with the folder */
    static LocalStore open(Path folder, LocalConfig config, Disk disk, Executor ioExecutor, Clock clock) {
        try {
            return new FolderStart(config, disk).open(folder, ioExecutor, clock);
        } catch (IOException failed) {
            throw new StoreException(
                    DiskErrors.saysFull(failed) ? StoreException.Kind.FULL : StoreException.Kind.INVALID,
                    "cannot use folder " + folder.toAbsolutePath().normalize() + ": " + DiskErrors.reason(failed),
                    failed);
        }
    }

    private LocalStore open(Path folder, Executor ioExecutor, Clock clock) throws IOException {
        makeRoot(folder.toAbsolutePath().normalize());
        LocalLayout layout = new LocalLayout(folder.toRealPath(), config.lockName());
        refuseSharedFileSystem(Files.getFileStore(layout.root()).type(), layout.root());
        checkFormat(layout);
        if (!Files.isDirectory(layout.temporary())) {
            var unused = new Folders(layout.root(), disk).inFolder(layout.temporary(), () -> layout);
        }
        StartGuard guard = StartGuard.lock(layout);
        try {
            removeTemporaryFiles(layout);
            if (config.sync() == LocalConfig.Sync.OS) {
                LOG.warn("store.local.sync=os: a power loss or a crash of the system may lose acknowledged records"
                        + " (the end of this process alone does not)");
            }
            LocalStore store = new LocalStore(layout, config, disk, ioExecutor, clock, guard);
            ioExecutor.execute(store::makeReserve);
            return store;
        } catch (IOException | RuntimeException failed) {
            guard.close();
            throw failed;
        }
    }

    /** Makes the folder and those above it, each synced into its parent. */
    private void makeRoot(Path root) throws IOException {
        Path parent = root.getParent();
        if (Files.isDirectory(root) || parent == null) {
            return;
        }
        makeRoot(parent);
        try {
            Files.createDirectory(root);
        } catch (FileAlreadyExistsException there) {
            if (!Files.isDirectory(root)) {
                throw new StoreException(StoreException.Kind.INVALID, root + " is a file, not a folder");
            }
        } catch (NoSuchFileException refused) { // of a folder whose parent is there: /proc and the like
            throw new StoreException(
                    StoreException.Kind.INVALID,
                    "cannot create folder " + root + ": nothing can be made in " + parent,
                    refused);
        }
        disk.syncFolder(parent);
    }

    static void refuseSharedFileSystem(String type, Path root) {
        String name = type.toLowerCase(Locale.ROOT);
        boolean shared = SHARED_FILE_SYSTEMS.contains(name)
                || (name.startsWith("fuse.") && SHARED_FUSE.contains(name.substring("fuse.".length())));
        if (shared) {
            throw new StoreException(
                    StoreException.Kind.INVALID,
                    "folder " + root + " is on a network file system (" + type + "), where one machine may not see at"
                            + " once what another made. Use a disk of this machine, HDFS or S3");
        }
        if (name.equals("tmpfs") || name.equals("ramfs")) {
            LOG.warn("folder {} is in memory ({}): it ends with the machine", root, type);
        }
    }

    private void checkFormat(LocalLayout layout) throws IOException {
        Path format = layout.format();
        if (!disk.exists(format)) {
            refuseForeignFolder(layout.root());
            Path temporary = layout.temporary()
                    .resolve("format-" + ProcessHandle.current().pid());
            var unused = new Folders(layout.root(), disk).inFolder(layout.temporary(), () -> {
                Files.deleteIfExists(temporary);
                try (TemporaryFile file = new TemporaryFile(disk, temporary)) {
                    file.write(ByteBuffer.wrap(formatText().getBytes(StandardCharsets.UTF_8)));
                    file.sync();
                    file.link(format);
                } catch (FileAlreadyExistsException madeByAnother) {
                    // It says what ours would.
                }
                disk.syncFolder(layout.corner());
                return format;
            });
        }
        String[] lines = Files.readString(format).split("\n", -1);
        String version = lines.length > 1 && lines[0].equals(FORMAT_NAME) && lines[1].matches("version [0-9]{1,9}")
                ? lines[1].substring("version ".length())
                : "";
        if (version.isEmpty()) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT, format + " does not say that this is a Forebay store; it is damaged");
        }
        if (Integer.parseInt(version) > FORMAT_VERSION) {
            throw new StoreException(
                    StoreException.Kind.INVALID,
                    "folder " + layout.root() + " has format version " + version
                            + ", made by a newer Forebay; this one knows" + " versions up to " + FORMAT_VERSION);
        }
    }

    private static String formatText() {
        return FORMAT_NAME + "\nversion " + FORMAT_VERSION + "\n";
    }

    /** Somebody's folder with other things in it is most likely a mistake. */
    private static void refuseForeignFolder(Path root) throws IOException {
        try (DirectoryStream<Path> names = Files.newDirectoryStream(root)) {
            for (Path entry : names) {
                String name = String.valueOf(entry.getFileName());
                if (!name.equals(".forebay") && !name.equals("lost+found")) {
                    throw new StoreException(
                            StoreException.Kind.INVALID,
                            "folder " + root + " is not empty and not a Forebay store (it holds '" + name + "')");
                }
            }
        }
    }

    private static void removeTemporaryFiles(LocalLayout layout) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(layout.temporary())) {
            for (Path file : left) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (NoSuchFileException none) {
            return;
        }
    }
}

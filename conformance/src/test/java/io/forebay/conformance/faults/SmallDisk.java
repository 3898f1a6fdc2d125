package io.forebay.conformance.faults;

import io.forebay.conformance.harness.CommandRun;
import io.forebay.conformance.harness.Installed;
import io.forebay.conformance.harness.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A file system of its own with little room, which a ballast file fills up. Needs the right to mount. */
final class SmallDisk implements AutoCloseable {

    private static final int BLOCK_BYTES = 64 << 10;

    private final Path folder;
    private final Path ballast;

    private SmallDisk(Path folder) {
        this.folder = folder;
        this.ballast = folder.resolve("ballast");
    }

    /** Mounts a disk of {@code mebibytes}; aborts the calling test where this user may not. */
    static SmallDisk mount(String name, int mebibytes) {
        try {
            Path folder =
                    Files.createDirectories(Settings.target().resolve("disks").resolve(name));
            CommandRun mounted = CommandRun.of(
                    List.of("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString()));
            if (mounted.exitCode() != 0) {
                Installed.missing("cannot mount a small file system (needs root): " + mounted.stderr());
            }
            return new SmallDisk(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The mounted folder. */
    Path folder() {
        return folder;
    }

    /** Takes all room that is left. */
    void fill() {
        try (FileChannel file = FileChannel.open(
                ballast, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            while (folder.toFile().getUsableSpace() > 0) {
                int ignored = file.write(ByteBuffer.allocate(BLOCK_BYTES));
            }
        } catch (IOException full) {
            // that is what it is for
        }
    }

    /** Gives all room back. */
    void empty() {
        try {
            Files.delete(ballast);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        CommandRun ignored =
                CommandRun.of(List.of("umount", "-l", folder.toString())).succeeded();
    }
}

package io.forebay.server.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a command reads and writes.
 *
 * @param out results; may be buffered, so commands flush when somebody waits for a line
 * @param err everything for people
 * @param progress whether {@code err} is looked at live, so that a line may be drawn over and over
 */
public record Console(InputStream in, PrintStream out, PrintStream err, boolean progress) {
    private static final int OUT_BUFFER_BYTES = 64 * 1024;

    /** The streams of this process. */
    public static Console ofProcess() {
        PrintStream out = new PrintStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), OUT_BUFFER_BYTES),
                false,
                StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        return new Console(System.in, out, err, errorIsTerminal());
    }

    /** Streams of a caller in the same process. */
    public static Console of(InputStream in, PrintStream out, PrintStream err) {
        return new Console(in, out, err, false);
    }

    /**
     * {@code FOREBAY_PROGRESS} (1 or 0) decides if it is set. Java itself can only tell whether all streams are
     * terminals, but {@code produce < file} deserves a progress line too, so the link of descriptor 2 is looked at.
     */
    private static boolean errorIsTerminal() {
        String wish = System.getenv().getOrDefault("FOREBAY_PROGRESS", "");
        if (!wish.isEmpty()) {
            return wish.equals("1");
        }
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}

package io.forebay.store.local;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/** What an error of the operating system means. */
final class DiskErrors {

    private DiskErrors() {}

    /** Java has no code for ENOSPC and EDQUOT, only the text of the C library. */
    static boolean saysFull(IOException cause) {
        String text = reason(cause).toLowerCase(Locale.ROOT);
        return text.contains("no space left") || text.contains("quota exceeded");
    }

    /** Whether using {@code file} failed because no file is there: no such name, a folder, or a file in place of one. */
    static boolean missing(Path file, IOException cause) {
        if (cause instanceof NoSuchFileException || Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        for (Path above = file.getParent(); above != null; above = above.getParent()) {
            if (Files.exists(above, LinkOption.NOFOLLOW_LINKS)) {
                return Files.isRegularFile(above, LinkOption.NOFOLLOW_LINKS);
            }
        }
        return false;
    }

    static String reason(IOException cause) {
        // These two say what happened by their class alone; their message is the name of the file.
        if (cause instanceof AccessDeniedException denied) {
            return "no permission for " + denied.getFile();
        }
        if (cause instanceof NoSuchFileException missing && missing.getReason() == null) {
            return missing.getFile() + " does not exist";
        }
        String text = cause instanceof FileSystemException known && known.getReason() != null
                ? known.getReason()
                : cause.getMessage();
        return text == null ? cause.getClass().getSimpleName() : text;
    }
}

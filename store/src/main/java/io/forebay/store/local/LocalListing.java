package io.forebay.store.local;

import io.forebay.store.ListingScope;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** One walk over the folders, in the order of keys. Used once, by one thread. */
final class LocalListing {

    private final Path root;
    private final ListingScope scope;
    private final int limit;
    private final List<ObjectStat> found = new ArrayList<>();

    LocalListing(Path root, ListingScope scope, int limit) {
        this.root = root;
        this.scope = scope;
        this.limit = limit;
    }

    List<ObjectStat> walk() throws IOException {
        String folder = scope.folder();
        if (folder.isEmpty() || isKey(folder.substring(0, folder.length() - 1))) {
            walk(folder);
        }
        return found;
    }

    /** @param folder a part of keys that ends with a slash, or empty */
    private void walk(String folder) throws IOException {
        Set<String> names = new TreeSet<>();
        Set<String> sealed = new HashSet<>();
        Path path = root.resolve(folder);
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(path)) {
            for (Path entry : stream) {
                String name = String.valueOf(entry.getFileName());
                if (name.startsWith(".")) {
                    sealed.add(name);
                } else if (isKey(folder + name) && scope.mayMatch(folder + name)) {
                    names.add(name);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException vanished) {
            return;
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
        for (Entry entry : inOrderOfKeys(path, names)) {
            if (found.size() == limit) {
                return;
            }
            String key = folder + entry.name();
            if (entry.isFolder()) {
                walk(key + "/");
            } else if (scope.holds(key)) {
                found.add(new ObjectStat(ObjectKey.of(key), size(path, entry, sealed)));
            }
        }
    }

    private record Entry(String name, boolean isFolder, long sizeBytes) {}

    /** A folder's keys all begin with its name and a slash; that is where it stands among the files beside it. */
    private static List<Entry> inOrderOfKeys(Path folder, Set<String> names) throws IOException {
        List<Entry> entries = new ArrayList<>();
        boolean folders = false;
        for (String name : names) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(
                        folder.resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (attributes.isDirectory() || attributes.isRegularFile()) {
                    entries.add(new Entry(name, attributes.isDirectory(), attributes.size()));
                    folders |= attributes.isDirectory();
                }
            } catch (NoSuchFileException vanished) {
                // Deleted since its name was read.
            }
        }
        if (folders) {
            entries.sort((a, b) -> sortName(a).compareTo(sortName(b)));
        }
        return entries;
    }

    private static String sortName(Entry entry) {
        return entry.isFolder() ? entry.name() + "/" : entry.name();
    }

    private static long size(Path folder, Entry entry, Set<String> sealed) throws IOException {
        Path marker = LocalLayout.marker(folder.resolve(entry.name()));
        if (sealed.contains(String.valueOf(marker.getFileName()))) {
            OptionalLong end = SealMarker.read(marker);
            return end.isPresent() ? end.getAsLong() : entry.sizeBytes();
        }
        return entry.sizeBytes();
    }

    private static boolean isKey(String text) {
        return ObjectKey.isValid(text);
    }
}

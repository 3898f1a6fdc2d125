package io.forebay.store.hdfs;

import io.forebay.store.ListingScope;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;

/**
 * One walk over the folders, in the order of keys. Used once, by one thread.
 *
 * <p>The NameNode gives names in the order of their bytes, a page at a time. A folder's keys begin with its name and a slash, which stands
 * behind {@code -} and {@code .}: so folders wait until a name has come that is behind that.
 */
final class HdfsListing {

    private final HdfsFolder folder;
    private final ListingScope scope;
    private final int limit;
    private final List<ObjectStat> found = new ArrayList<>();

    HdfsListing(HdfsFolder folder, ListingScope scope, int limit) {
        this.folder = folder;
        this.scope = scope;
        this.limit = limit;
    }

    List<ObjectStat> walk() throws IOException {
        String start = scope.folder();
        if (start.isEmpty() || ObjectKey.isValid(start.substring(0, start.length() - 1))) {
            walk(start);
        }
        return found;
    }

    /** @param part a part of keys that ends with a slash, or empty */
    private void walk(String part) throws IOException {
        String path = folder.config().folder() + "/" + part;
        String above = path.substring(0, path.length() - 1);
        byte[] after = firstName(part).getBytes(StandardCharsets.UTF_8);
        TreeMap<String, HdfsFileStatus> waiting = new TreeMap<>();
        while (found.size() < limit) {
            DirectoryListing page = page(above, after);
            if (page == null) {
                return;
            }
            String last = "";
            for (HdfsFileStatus entry : page.getPartialListing()) {
                String name = entry.getLocalName();
                last = name;
                if (ObjectKey.isValid(part + name) && scope.mayMatch(part + name) && !entry.isSymlink()) {
                    waiting.put(entry.isDirectory() ? name + "/" : name, entry);
                }
            }
            boolean more = page.hasMore() && !behind(part + last);
            take(part, waiting, more ? last : null);
            if (!more) {
                return;
            }
            after = page.getLastName();
        }
    }

    /** Null if there is no such folder any more. */
    private @Nullable DirectoryListing page(String path, byte[] after) throws IOException {
        try {
            DirectoryListing page = folder.client().listPaths(path, after);
            // Of a file the NameNode lists the file itself, without a name.
            boolean file = page != null
                    && page.getPartialListing().length == 1
                    && page.getPartialListing()[0].isEmptyLocalName();
            return file ? null : page;
        } catch (IOException failed) {
            if (HdfsErrors.missing(failed)) {
                return null;
            }
            throw failed;
        }
    }

    /** Takes what no later name can come before. {@code last} is the last name that came, or null if all have. */
    private void take(String part, NavigableMap<String, HdfsFileStatus> waiting, @Nullable String last)
            throws IOException {
        while (!waiting.isEmpty() && found.size() < limit) {
            Map.Entry<String, HdfsFileStatus> head = waiting.firstEntry();
            if (last != null && head.getKey().compareTo(last) > 0) {
                return;
            }
            waiting.pollFirstEntry();
            String key = part + head.getKey();
            if (head.getValue().isDirectory()) {
                walk(key);
            } else if (scope.holds(key)) {
                found.add(new ObjectStat(ObjectKey.of(key), SmallObjects.length(head.getValue())));
            }
        }
    }

    /** A name before the first one that can matter, so that a page of a large folder begins there; empty: from the beginning. */
    private String firstName(String part) {
        String byStart =
                scope.startAfter().startsWith(part) ? scope.startAfter().substring(part.length()) : "";
        String byPrefix = scope.prefix().startsWith(part) ? scope.prefix().substring(part.length()) : "";
        String first = byStart.compareTo(byPrefix) > 0 ? byStart : byPrefix;
        // A folder "a" holds keys behind "a-b": the name is cut where such a folder's name could end.
        int end = 0;
        while (end < first.length() && first.charAt(end) > '/') {
            end++;
        }
        return first.substring(0, Math.max(0, end - 1));
    }

    /** Whether all keys from this name on are behind those wanted. */
    private boolean behind(String name) {
        return name.compareTo(scope.prefix()) > 0
                && !name.startsWith(scope.prefix())
                && !scope.prefix().startsWith(name + "/");
    }
}

package io.forebay.store.local;

import io.forebay.store.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Makes folders when they are needed, durably, and removes those that became empty. Thread-safe.
 *
 * <p>Kept true: when an action in a folder was run and the folder synced, all folders above it are on the disk too. A
 * folder that this process did not sync itself is synced once, for its maker may not have come to it; unless there is something in it,
 * for its maker came to that only after the sync.
 */
final class Folders {

    /** How often another process may remove a folder under our hands before that counts as an error. */
    private static final int MAX_ATTEMPTS = 50;

    /** Forgetting costs a sync, remembering costs memory. */
    private static final int MAX_REMEMBERED = 20_000;

    private final Path root;
    private final Disk disk;
    private final Set<Path> durable = ConcurrentHashMap.newKeySet();
    /** Shared: something is being made in folders. Exclusive: an empty folder is being removed. */
    private final ReadWriteLock shape = new ReentrantReadWriteLock();

    Folders(Path root, Disk disk) {
        this.root = root;
        this.disk = disk;
    }

    /** Something that makes a name in a folder that exists. */
    interface Action<T> {
        T run() throws IOException;
    }

    /** Runs the action with the folder there and durable; again if the folder vanished meanwhile. */
    <T> T inFolder(Path folder, Action<T> action) throws IOException {
        for (int attempt = 1; ; attempt++) {
            shape.readLock().lock();
            try {
                makeDurable(folder);
                return action.run();
            } catch (NoSuchFileException vanished) {
                if (attempt == MAX_ATTEMPTS) {
                    throw vanished;
                }
                durable.clear();
            } finally {
                shape.readLock().unlock();
            }
        }
    }

    /** Removes the folder and those above it as far as they are empty; the topmost ones stay. */
    void removeEmpty(Path folder) throws IOException {
        Path empty = folder;
        while (!empty.equals(root) && !root.equals(empty.getParent()) && isEmpty(empty)) {
            shape.writeLock().lock();
            try {
                durable.remove(empty);
                Files.delete(empty);
            } catch (DirectoryNotEmptyException | NoSuchFileException inUseOrGone) {
                return;
            } finally {
                shape.writeLock().unlock();
            }
            empty = Objects.requireNonNull(empty.getParent(), "below the root");
        }
    }

    private void makeDurable(Path folder) throws IOException {
        if (folder.equals(root) || durable.contains(folder)) {
            return;
        }
        if (holdsNames(folder)) {
            remember(List.of(folder));
            return;
        }
        Path parent = Objects.requireNonNull(folder.getParent(), "below the root");
        makeDurable(parent);
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException there) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw new StoreException(
                        StoreException.Kind.INVALID,
                        "'" + root.relativize(folder) + "' is an object and cannot hold others");
            }
        }
        List<Path> covered = names(parent);
        disk.syncFolder(parent);
        remember(covered);
        durable.add(folder);
    }

    private void remember(List<Path> folders) {
        if (durable.size() >= MAX_REMEMBERED) {
            durable.clear();
        }
        durable.addAll(folders);
    }

    /** Whether there is anything in the folder. Then whoever made the first name in it had made the folder durable before. */
    private static boolean holdsNames(Path folder) throws IOException {
        try (DirectoryStream<Path> names = Files.newDirectoryStream(folder)) {
            return names.iterator().hasNext();
        } catch (NoSuchFileException | NotDirectoryException notThere) {
            return false;
        }
    }

    /** All that one sync of the folder covers. */
    private static List<Path> names(Path folder) throws IOException {
        List<Path> names = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            for (Path name : stream) {
                if (names.size() == MAX_REMEMBERED / 2) {
                    break;
                }
                names.add(name);
            }
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
        return names;
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (DirectoryStream<Path> names = Files.newDirectoryStream(folder)) {
            return !names.iterator().hasNext();
        } catch (NoSuchFileException gone) {
            return false;
        }
    }
}

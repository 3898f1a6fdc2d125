package io.forebay.log.cache;

import io.forebay.model.ByteRun;
import io.forebay.model.Page;
import io.forebay.model.SharedFile;
import io.forebay.store.ObjectKey;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Pages of objects in memory, in two shares that never displace each other. Any thread.
 *
 * <ul>
 *   <li><b>tail</b>: pages of the journal as they are written ({@link #tail}), the oldest give way to new ones;
 *   <li><b>cold</b>: pages read from the store ({@link #read}), in two sizes, unused ones give way (clock).
 * </ul>
 *
 * <p>Kept true: what a reader holds is never overwritten (pages are counted); no byte behind the end that a reader knew is ever
 * loaded for it; a page that was read while its object was shorter hides nothing that came later. {@link #tryRead} takes no lock;
 * everything that changes which pages are here holds one lock for a few steps, never while reading.
 */
public final class PageCache {

    /** With fewer blocks before it than this, nothing can be said of a position. */
    private static final int MIN_LOOKED = 4;

    private final Store store;
    private final CacheConfig config;
    private final int pageShift;
    private final int blockShift;

    private final ConcurrentHashMap<ObjectKey, ObjectPages> objects = new ConcurrentHashMap<>();
    private final PagePool tailPool;
    private final PagePool largePool;
    private final PagePool smallPool;
    private final ConcurrentLinkedQueue<Runnable> tailWaiters = new ConcurrentLinkedQueue<>();

    private final Object lock = new Object();
    /** Oldest first. Guarded by the lock, as the next three. May hold pages that were dropped since. */
    private final ArrayDeque<CachedPage> tailOrder = new ArrayDeque<>();

    /**
     * Whether readers hold so many of the oldest pages that writers will soon find none: then readers get copies. Clients that ask and do not read must not
     * stop those that write.
     */
    private volatile boolean tailCrowded;

    /** Taken for a writer that needed more than there was. */
    private final ArrayDeque<Page> spareTail = new ArrayDeque<>();

    private final ArrayDeque<CachedPage> largeClock = new ArrayDeque<>();
    private final ArrayDeque<CachedPage> smallClock = new ArrayDeque<>();

    public PageCache(Store store, CacheConfig config) {
        this.store = store;
        this.config = config;
        this.pageShift = Integer.numberOfTrailingZeros(config.pageBytes());
        this.blockShift = Integer.numberOfTrailingZeros(config.blockBytes());
        this.tailPool = new PagePool(config.pageBytes(), config.tailPages(), this::tailPageFreed);
        this.largePool = new PagePool(config.pageBytes(), config.coldLargePages(), () -> {});
        this.smallPool = new PagePool(config.blockBytes(), config.coldSmallPages(), () -> {});
    }

    public CacheConfig config() {
        return config;
    }

    /** The bytes if all of them are in memory, else null. The caller releases the run. */
    public @Nullable ByteRun tryRead(ObjectKey key, long position, int length) {
        return tryRead(key, position, length, false);
    }

    /**
     * The bytes if all of them are in pages of the tail share, else null: what this process wrote itself, and need not check as
     * one must what came from a store. The caller releases the run.
     */
    public @Nullable ByteRun tryReadTail(ObjectKey key, long position, int length) {
        ByteRun run = tryRead(key, position, length, true);
        if (run == null || !tailCrowded) {
            return run;
        }
        ByteRun copy = ByteRun.ofUnshared(run.copy());
        run.release();
        return copy;
    }

    private @Nullable ByteRun tryRead(ObjectKey key, long position, int length, boolean tailOnly) {
        ObjectPages pages = objects.get(key);
        if (pages == null || length <= 0) {
            return length == 0 ? ByteRun.EMPTY : null;
        }
        CachedPage first = find(pages, position, tailOnly);
        if (first == null || !first.tryUse()) {
            return null;
        }
        int within = (int) (position - first.start);
        int here = (int) Math.min(length, first.readableFrom(position));
        if (here == length) {
            return ByteRun.ofUse(first.page, within, length);
        }
        return tryReadMany(pages, position, length, tailOnly, ByteRun.ofUse(first.page, within, here));
    }

    private @Nullable ByteRun tryReadMany(
            ObjectPages pages, long position, int length, boolean tailOnly, ByteRun firstPart) {
        ByteRun.Builder run = new ByteRun.Builder();
        run.take(firstPart);
        while (run.sizeBytes() < length) {
            long at = position + run.sizeBytes();
            CachedPage page = find(pages, at, tailOnly);
            if (page == null || !page.tryUse()) {
                run.build().release();
                return null;
            }
            int here = (int) Math.min(length - run.sizeBytes(), page.readableFrom(at));
            run.take(ByteRun.ofUse(page.page, (int) (at - page.start), here));
        }
        return run.build();
    }

    /** A page from which at least the byte at this position can be read. */
    private @Nullable CachedPage find(ObjectPages pages, long position, boolean tailOnly) {
        CachedPage page = pages.tail.get(position >>> pageShift);
        if (page != null && page.readableFrom(position) > 0) {
            return page;
        }
        if (tailOnly) {
            return null;
        }
        page = pages.cold.get(position >>> blockShift);
        if (page != null && page.readableFrom(position) > 0) {
            if (!page.touched) {
                page.touched = true;
            }
            return page;
        }
        return null;
    }

    /**
     * The bytes, from memory or the store, reading ahead as the stream's past suggests. Verifies nothing. Completes on a thread
     * of the store (or the caller's, at once, if everything is here); fails with a StoreException: NOT_FOUND (reload the manifest),
     * CORRUPT if the object ends before, UNAVAILABLE (also when all memory for cold reads is in use: try again later). The caller
     * releases the run.
     *
     * <p>Readers of old data call this for every step, also where {@link #tryRead} would find the bytes: that is how reading ahead
     * stays ahead.
     *
     * @param knownEnd nothing behind it is read: the object's recorded or durable end
     */
    public CompletableFuture<ByteRun> read(ObjectKey key, long position, int length, ReadStream stream, long knownEnd) {
        if (position < 0 || length < 0 || position + length > knownEnd) {
            throw new IllegalArgumentException(
                    key + ": read of " + length + " bytes at " + position + " behind the known end " + knownEnd);
        }
        int window = stream.step(key, position, length, config.blockBytes(), config.readAheadBytes());
        if (window == config.blockBytes() && isReadThrough(key, position)) {
            window = Math.max(window, config.readAheadBytes());
        }
        ByteRun here = tryRead(key, position, length);
        List<Load> started = new ArrayList<>(2);
        CompletableFuture<ByteRun> result;
        if (here != null) {
            result = CompletableFuture.completedFuture(here);
        } else if (length > largestRead()) {
            return readUnshared(key, position, length);
        } else {
            result = plan(key, position, length, window, knownEnd, started);
        }
        if (window > config.blockBytes()) {
            prefetch(key, position + length, window, knownEnd, started);
        }
        // Only now, without the lock: a store may answer on this thread.
        started.forEach(Load::start);
        return result;
    }

    /**
     * Whether most of what lies before the position was read lately: readers of several partitions, each of which jumps, together read
     * the whole of a journal file.
     */
    private boolean isReadThrough(ObjectKey key, long position) {
        ObjectPages pages = objects.get(key);
        if (pages == null) {
            return false;
        }
        long block = position >>> blockShift;
        int looked = (int) Math.min(block, 1L << (pageShift - blockShift));
        int there = 0;
        for (int back = 1; back <= looked; back++) {
            there += pages.cold.get(block - back) == null ? 0 : 1;
        }
        return looked >= MIN_LOOKED && there >= looked - looked / 4;
    }

    /** A larger read goes past the cache: it would need more pages at once than can be promised to one reader. */
    private long largestRead() {
        return (long) config.pageBytes() * Math.max(1, largePool.maxPages() / 4);
    }

    private CompletableFuture<ByteRun> readUnshared(ObjectKey key, long position, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        return readFully(key, position, bytes).thenApply(read -> {
            if (read < length) {
                throw endsEarly(key, position + read, read > 0);
            }
            return ByteRun.ofUnshared(bytes.flip());
        });
    }

    /**
     * Ranges of an object one behind the other, past the cache: for bytes that no other reader shares, where what a store keeps open as
     * a file is cached by the system already. Fails as {@link #read} does. The caller releases the run.
     *
     * @param positions of the ranges
     * @param lengths of the ranges, each at most {@link CacheConfig#pageBytes}
     */
    public CompletableFuture<ByteRun> readApart(ObjectKey key, long[] positions, int[] lengths) {
        Scatter scatter = new Scatter(config, positions, lengths);
        synchronized (lock) {
            if (!scatter.takePages(
                    small -> small ? takeCold(smallPool, smallClock) : takeCold(largePool, largeClock))) {
                scatter.letGo();
                return CompletableFuture.failedFuture(noMemory());
            }
        }
        return store.readPieces(key, scatter.pieces()).handle((read, failure) -> {
            try {
                if (failure != null) {
                    throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
                }
                if (read < scatter.sizeBytes()) {
                    throw endsEarly(key, scatter.behind(read), scatter.isInside(read));
                }
                return scatter.run();
            } finally {
                scatter.letGo();
            }
        });
    }

    /** The object as an open file, if the store has it as one: see {@link Store#openFile}. */
    public Optional<SharedFile> openFile(ObjectKey key) {
        return store.openFile(key);
    }

    /** Whether the store has the object as an open file. */
    public boolean isOpenFile(ObjectKey key) {
        Optional<SharedFile> file = store.openFile(key);
        file.ifPresent(SharedFile::release);
        return file.isPresent();
    }

    private static StoreException noMemory() {
        return new StoreException(StoreException.Kind.UNAVAILABLE, "all memory for reading old data is in use");
    }

    /** Gathers pages that are here, that somebody is loading, and that must be loaded. */
    private CompletableFuture<ByteRun> plan(
            ObjectKey key, long position, int length, int window, long knownEnd, List<Load> started) {
        ByteRun.Builder run = new ByteRun.Builder();
        List<Awaited> awaited = new ArrayList<>(2);
        synchronized (lock) {
            long end = position + length;
            for (long at = position; at < end; at = position + run.sizeBytes()) {
                ObjectPages pages = objects.computeIfAbsent(key, k -> new ObjectPages());
                int wanted = (int) (end - at);
                CachedPage page = find(pages, at, false);
                long readable = page == null ? 0 : page.readableFrom(at);
                if (page == null) {
                    Load load = loadFor(pages, key, at, Math.max(window, wanted), wanted, knownEnd, started);
                    if (load == null) {
                        run.build().release();
                        return CompletableFuture.failedFuture(noMemory());
                    }
                    awaited.add(new Awaited(load, Math.min(end, load.end)));
                    page = load.target;
                    readable = load.end - at;
                }
                run.add(page.page, (int) (at - page.start), (int) Math.min(wanted, readable));
            }
        }
        return whenLoaded(run.build(), awaited);
    }

    /**
     * What one reader waits for.
     *
     * @param neededEnd the load must bring everything before it
     */
    private record Awaited(Load load, long neededEnd) {}

    private static CompletableFuture<ByteRun> whenLoaded(ByteRun run, List<Awaited> awaited) {
        CompletableFuture<Void> all =
                CompletableFuture.allOf(awaited.stream().map(a -> a.load.done).toArray(CompletableFuture<?>[]::new));
        return all.handle((nothing, failure) -> {
            if (failure != null) {
                run.release();
                throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
            }
            for (Awaited a : awaited) {
                if (a.load.loadedEnd < a.neededEnd) {
                    run.release();
                    throw endsEarly(a.load.key, a.load.loadedEnd, a.load.loadedEnd > a.load.start);
                }
            }
            return run;
        });
    }

    /** One request to the store, whose bytes go into one page. Holds a use of the page while the store writes into it. */
    final class Load {
        final ObjectKey key;
        final CachedPage target;
        final long start;
        final long end;
        final CompletableFuture<Void> done = new CompletableFuture<>();
        /** Where the loaded bytes end. Set before {@link #done}. */
        volatile long loadedEnd;

        Load(ObjectKey key, Page page, long start, long end) {
            this.key = key;
            this.target = new CachedPage(key, page, start);
            this.start = start;
            this.end = end;
            target.load = this;
            page.retain();
        }

        void start() {
            CompletableFuture<Integer> reading = readFully(key, start, target.page.slice(0, (int) (end - start)));
            var unused = reading.whenComplete(this::finish);
        }

        private void finish(@Nullable Integer read, @Nullable Throwable failure) {
            int bytes = read == null ? 0 : read;
            loadedEnd = start + bytes;
            synchronized (lock) {
                target.load = null;
                target.filled = bytes;
                if (bytes == 0) {
                    forget(target);
                }
            }
            target.page.release();
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(failure);
            }
        }
    }

    /**
     * A load, running or new, whose range covers the position. Holds the lock.
     *
     * @return null if there is no page to load into
     */
    private @Nullable Load loadFor(
            ObjectPages pages, ObjectKey key, long at, int window, int wanted, long knownEnd, List<Load> started) {
        Load running = loading(pages, at);
        if (running != null) {
            return running;
        }
        long start = at >>> blockShift << blockShift;
        long most = Math.min(knownEnd, start + config.pageBytes());
        boolean small = window <= config.blockBytes() && at + wanted <= start + config.blockBytes();
        Page page = small ? takeCold(smallPool, smallClock) : takeCold(largePool, largeClock);
        if (page == null) {
            small = true;
            page = takeCold(smallPool, smallClock);
        }
        if (page == null) {
            return null;
        }
        long end = Math.min(most, wholeBlocks(Math.max(at + wanted, start + window)));
        end = small ? Math.min(end, start + config.blockBytes()) : end;
        Load load = new Load(key, page, start, stopAtLoaded(pages, start, end));
        place(pages, load.target, start, load.end);
        (small ? smallClock : largeClock).addLast(load.target);
        started.add(load);
        return load;
    }

    private long wholeBlocks(long position) {
        long block = config.blockBytes();
        return (position + block - 1) / block * block;
    }

    /** Where, behind its first block, a new load would meet blocks that are here or on their way. */
    private long stopAtLoaded(ObjectPages pages, long start, long end) {
        for (long block = (start >>> blockShift) + 1; block << blockShift < end; block++) {
            long from = block << blockShift;
            long to = Math.min(end, from + config.blockBytes());
            CachedPage page = pages.cold.get(block);
            if (loading(pages, to - 1) != null || (page != null && page.readableFrom(from) >= to - from)) {
                return from;
            }
        }
        return end;
    }

    /** The running load that will bring the byte at this position, or null. Holds the lock. */
    private @Nullable Load loading(ObjectPages pages, long position) {
        CachedPage page = pages.cold.get(position >>> blockShift);
        Load load = page == null ? null : page.load;
        return load != null && position >= load.start && position < load.end ? load : null;
    }

    private void place(ObjectPages pages, CachedPage page, long start, long end) {
        pages.pages++;
        for (long block = start >>> blockShift; block << blockShift < end; block++) {
            pages.cold.set(block, page);
        }
    }

    /** Starts loading what the reader will want next, if memory can be had without waiting. */
    private void prefetch(ObjectKey key, long from, int window, long knownEnd, List<Load> started) {
        long end = Math.min(knownEnd, from + window);
        synchronized (lock) {
            ObjectPages pages = objects.get(key);
            long at = from;
            while (pages != null && at < end) {
                CachedPage page = find(pages, at, false);
                Load running = loading(pages, at);
                if (page != null) {
                    at += page.readableFrom(at);
                } else if (running != null) {
                    at = running.end;
                } else if (end - at < window / 2 && end < knownEnd) {
                    // Still far enough ahead: load later, in larger pieces.
                    return;
                } else {
                    Load load = loadFor(pages, key, at, window, 1, knownEnd, started);
                    if (load == null) {
                        return;
                    }
                    at = load.end;
                }
            }
        }
    }

    /** A free page of the cold share, evicting what nobody used lately. Holds the lock. */
    private @Nullable Page takeCold(PagePool pool, ArrayDeque<CachedPage> clock) {
        Page page = pool.take();
        for (int left = clock.size() * 2; page == null && left > 0; left--) {
            CachedPage oldest = clock.pollFirst();
            if (oldest == null) {
                return null;
            }
            if (oldest.dropped) {
                continue;
            }
            if (oldest.touched || !oldest.page.hasSingleUser()) {
                oldest.touched = false;
                clock.addLast(oldest);
                continue;
            }
            forget(oldest);
            page = pool.take();
        }
        return page;
    }

    /** Takes a page out of all tables and ends the cache's use of it. Holds the lock. */
    private void forget(CachedPage page) {
        if (page.dropped) {
            return;
        }
        ObjectPages pages = objects.get(page.key);
        if (pages != null) {
            pages.tail.remove(page.start >>> pageShift, page);
            long end = page.start + page.page.sizeBytes();
            for (long block = page.start >>> blockShift; block << blockShift < end; block++) {
                pages.cold.remove(block, page);
            }
            pages.pages--;
            if (pages.pages == 0) {
                objects.remove(page.key, pages);
            }
        }
        page.dropped = true;
        page.page.release();
    }

    /** Forgets all pages of an object, e.g. because it is being deleted. Runs already given out stay valid. */
    public void drop(ObjectKey key) {
        synchronized (lock) {
            dropAll(tailOrder, key, 0);
            dropAll(largeClock, key, 0);
            dropAll(smallClock, key, 0);
        }
    }

    private void dropAll(ArrayDeque<CachedPage> order, ObjectKey key, long from) {
        for (Iterator<CachedPage> all = order.iterator(); all.hasNext(); ) {
            CachedPage page = all.next();
            if (page.key.equals(key) && page.start + page.page.sizeBytes() > from) {
                all.remove();
                forget(page);
            }
        }
    }

    /** Begins the tail pages of an object that its caller is about to write. The caller is its only writer. */
    public TailWriter tail(ObjectKey key) {
        return new TailWriter(this, key, config.pageBytes());
    }

    /**
     * So many pages for the tail, evicting the oldest that nobody reads; none if there aren't enough. Whoever gets none holds none: of two
     * writers that wait for memory neither keeps what the other needs.
     */
    List<Page> takeTail(int count) {
        List<Page> taken = new ArrayList<>(count);
        synchronized (lock) {
            while (taken.size() < count) {
                Page page = spareTail.isEmpty() ? tailPool.take() : spareTail.removeLast();
                page = page == null ? evictTail() : page;
                if (page == null) {
                    // Not given back to the pool: that would call the next one who waits for more than there is.
                    spareTail.addAll(taken);
                    return List.of();
                }
                taken.add(page);
            }
        }
        return taken;
    }

    /** Holds the lock. */
    private @Nullable Page evictTail() {
        Page page = null;
        int passed = 0;
        for (Iterator<CachedPage> all = tailOrder.iterator(); page == null && all.hasNext(); ) {
            CachedPage oldest = all.next();
            if (oldest.dropped || oldest.page.hasSingleUser()) {
                all.remove();
                forget(oldest);
                page = tailPool.take();
            } else {
                passed++;
            }
        }
        tailCrowded = passed > config.tailPages() / 4;
        return page;
    }

    /** Calls {@code waiter} once, on any thread, when a tail page came back after this call. */
    public void whenTailPageFree(Runnable waiter) {
        tailWaiters.add(waiter);
    }

    private void tailPageFreed() {
        Runnable waiter = tailWaiters.poll();
        while (waiter != null) {
            waiter.run();
            waiter = tailWaiters.poll();
        }
    }

    /** Puts a page that is being written into the tail share. The cache takes over one use of it. */
    CachedPage addTail(ObjectKey key, Page page, long start) {
        CachedPage cached = new CachedPage(key, page, start);
        synchronized (lock) {
            ObjectPages pages = objects.computeIfAbsent(key, k -> new ObjectPages());
            pages.pages++;
            pages.tail.set(start >>> pageShift, cached);
            tailOrder.addLast(cached);
        }
        return cached;
    }

    /** Forgets a tail page whose bytes turned out not to count. */
    void dropTail(CachedPage page) {
        synchronized (lock) {
            forget(page);
        }
    }

    /** Memory taken from the system so far, in bytes. */
    public long memoryBytes() {
        return (long) (tailPool.madePages() + largePool.madePages()) * config.pageBytes()
                + (long) smallPool.madePages() * config.blockBytes();
    }

    private CompletableFuture<Integer> readFully(ObjectKey key, long position, ByteBuffer into) {
        return store.readPieces(key, List.of(new Store.Piece(position, into)));
    }

    /**
     * An object has lost its end.
     *
     * @param position nothing can be read from here on
     * @param bytesBefore whether the bytes just before it could be read, so that this is the very end
     */
    private static StoreException endsEarly(ObjectKey key, long position, boolean bytesBefore) {
        return new StoreException(
                StoreException.Kind.CORRUPT,
                key + " ends at " + (bytesBefore ? "" : "or before ") + position
                        + ", before bytes that were known to be there");
    }
}

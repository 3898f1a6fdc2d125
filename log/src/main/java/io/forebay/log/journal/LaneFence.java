package io.forebay.log.journal;

import io.forebay.log.journal.FencedJournal.File;
import io.forebay.log.journal.FencedJournal.Lane;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.store.ObjectStat;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fences one lane, one time. Owned by the loop.
 *
 * <p>A tombstone counts only if no object says that its number was written ({@link LaneEnd}). Otherwise it went to the place of a file that was
 * written, retired and deleted while the request was on its way, and the writer, far above, knows nothing of it. And it must have been there before the listing
 * began: between listing and reading a file may go and a late tombstone take its place, and what has come above it by then the listing does not show.
 */
final class LaneFence {

    private static final Logger LOG = LoggerFactory.getLogger(LaneFence.class);

    private static final int LISTING = 1000;
    private static final int SEALS_AT_ONCE = 16;
    /** A writer that makes files faster than they can be listed does not exist. */
    private static final int MAX_ROUNDS = 10_000;

    private final JournalPath path;
    private final Store store;
    private final Loop loop;
    private final Clock clock;
    private final Maker maker;
    private final FenceConfig config;
    private final StoreCalls calls;
    private int rounds;
    /** Where a tombstone was seen before the present round. */
    private long seen = -1;

    LaneFence(JournalPath path, Store store, Loop loop, Clock clock, Maker maker, FenceConfig config) {
        this.path = path;
        this.store = store;
        this.loop = loop;
        this.clock = clock;
        this.maker = maker;
        this.config = config;
        this.calls = new StoreCalls(loop, config);
    }

    CompletableFuture<Lane> fence() {
        return listAgain()
                .thenComposeAsync(
                        ended -> store.capabilities().append()
                                ? sealAll(ended)
                                : CompletableFuture.completedFuture(asListed(ended)),
                        loop);
    }

    /**
     * A lane that nobody can write to any more.
     *
     * @param sizes of all that were found, by number; those above the tombstone are not part of the journal
     */
    private record Ended(NavigableMap<Long, Long> sizes, long tombstone) {
        /** What lies below the tombstone. */
        NavigableMap<Long, Long> counted() {
            return new TreeMap<>(sizes.headMap(tombstone));
        }
    }

    private CompletableFuture<Ended> entomb(NavigableMap<Long, Long> sizes) {
        if (++rounds > MAX_ROUNDS) {
            return CompletableFuture.failedFuture(new StoreException(
                    StoreException.Kind.UNAVAILABLE, path.lanePrefix() + " grows while it is being fenced"));
        }
        LaneEnd end = new LaneEnd(sizes.navigableKeySet());
        return readInto(end)
                .thenComposeAsync(
                        allThere -> {
                            if (!allThere) {
                                return listAgain();
                            }
                            if (!end.ended()) {
                                return put(end.place(), 1);
                            }
                            if (end.place() == seen) {
                                return CompletableFuture.completedFuture(new Ended(sizes, seen));
                            }
                            seen = end.place();
                            return listAgain();
                        },
                        loop);
    }

    /** Reads what is needed to know the end. False if something was deleted meanwhile: what said more than it may lie above the listing. */
    private CompletableFuture<Boolean> readInto(LaneEnd end) {
        List<Long> wanted = end.toRead();
        if (wanted.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        List<CompletableFuture<Boolean>> running = new ArrayList<>();
        for (long number : wanted) {
            running.add(header(number)
                    .thenApplyAsync(
                            header -> {
                                end.found(number, header);
                                return true;
                            },
                            loop)
                    .exceptionally(LaneFence::falseIfGone));
        }
        return CompletableFuture.allOf(running.toArray(CompletableFuture<?>[]::new))
                .thenComposeAsync(
                        done -> running.stream().allMatch(CompletableFuture::join)
                                ? readInto(end)
                                : CompletableFuture.completedFuture(false),
                        loop);
    }

    private static boolean falseIfGone(Throwable failure) {
        if (StoreCalls.isNotFound(failure)) {
            return false;
        }
        throw failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
    }

    private CompletableFuture<Ended> put(long number, int attempt) {
        ByteBuffer tombstone =
                JournalHeader.tombstone(path, number, maker, clock.wallMs()).encode();
        return calls.once(() -> store.putIfAbsent(path.file(number), tombstone))
                .exceptionally(LaneFence::unknownIfTransient)
                .thenComposeAsync(
                        outcome -> {
                            if (outcome == PutOutcome.OUTCOME_UNKNOWN) {
                                return settle(number, attempt);
                            }
                            seen = outcome == PutOutcome.WRITTEN ? number : seen;
                            return listAgain();
                        },
                        loop);
    }

    private static PutOutcome unknownIfTransient(Throwable failure) {
        StoreException cause = StoreCalls.storeFailure(failure);
        if (cause == null) {
            throw new IllegalStateException(failure);
        }
        return switch (cause.kind()) {
            case UNAVAILABLE, FULL -> PutOutcome.OUTCOME_UNKNOWN;
            case NOT_FOUND, CORRUPT, INVALID -> throw cause;
        };
    }

    /** Whoever made it, and whether it is a tombstone, the next round finds out; only nothing at all needs another put. */
    private CompletableFuture<Ended> settle(long number, int attempt) {
        return header(number)
                .thenApply(header -> true)
                .exceptionally(LaneFence::falseIfGone)
                .thenComposeAsync(
                        found -> {
                            if (found) {
                                return listAgain();
                            }
                            if (attempt == config.tries()) {
                                return CompletableFuture.failedFuture(new StoreException(
                                        StoreException.Kind.UNAVAILABLE, path.file(number) + " could not be put"));
                            }
                            CompletableFuture<Void> later = new CompletableFuture<>();
                            calls.pause(attempt, () -> later.complete(null));
                            return later.thenComposeAsync(nothing -> put(number, attempt + 1), loop);
                        },
                        loop);
    }

    private CompletableFuture<Ended> listAgain() {
        return sizes(new TreeMap<>(), "").thenComposeAsync(this::entomb, loop);
    }

    /** All numbers that exist in the lane with the sizes that the listing shows, {@code LISTING} at a time. */
    private CompletableFuture<NavigableMap<Long, Long>> sizes(NavigableMap<Long, Long> found, String after) {
        return calls.repeat(() -> store.list(path.lanePrefix(), after, LISTING))
                .thenComposeAsync(
                        page -> {
                            for (ObjectStat stat : page) {
                                path.numberOf(stat.key()).ifPresent(n -> {
                                    var unused = found.put(n, stat.sizeBytes());
                                });
                            }
                            return page.size() < LISTING
                                    ? CompletableFuture.completedFuture(found)
                                    : sizes(
                                            found,
                                            page.get(page.size() - 1).key().value());
                        },
                        loop);
    }

    private CompletableFuture<Optional<JournalHeader>> header(long number) {
        return calls.repeat(() -> {
            ByteBuffer bytes = ByteBuffer.allocate(JournalHeader.BYTES);
            return store.read(path.file(number), 0, bytes)
                    .thenApply(read -> JournalHeader.decode(bytes.flip(), path, number));
        });
    }

    /**
     * Seals everything below the tombstone. Files go in ascending order, so a number that is missing above others is either one of those that were deleted,
     * and what lies below it came late and is needed by nobody; or somebody has taken it away, and what lies below is needed as before.
     */
    private CompletableFuture<Lane> sealAll(Ended ended) {
        long tombstone = ended.tombstone();
        NavigableMap<Long, Sealed> sealed = new TreeMap<>();
        return sealFrom(List.copyOf(ended.counted().keySet()), 0, sealed).thenApply(nothing -> {
            NavigableMap<Long, Long> sizes = new TreeMap<>();
            sealed.forEach((number, file) -> sizes.put(number, file.end()));
            tellWhatIsMissing(sizes, tombstone);
            return new Lane(path.lane(), tombstone, ends(sealed));
        });
    }

    /**
     * Each object of a store without append is put whole, so its size is its end, and the listing tells it: nothing has to be asked of it. A tombstone that came late
     * is as long as a file without frames, and counts as little.
     */
    private Lane asListed(Ended ended) {
        tellWhatIsMissing(ended.counted(), ended.tombstone());
        List<File> files = new ArrayList<>();
        ended.counted().forEach((number, size) -> {
            int end = size > JournalHeader.BYTES ? Math.toIntExact(size) : 0;
            files.add(new File(number, path.file(number), end, true));
        });
        return new Lane(path.lane(), ended.tombstone(), files);
    }

    private void tellWhatIsMissing(NavigableMap<Long, Long> sizes, long tombstone) {
        long lowest = tombstone;
        for (Map.Entry<Long, Long> file : sizes.entrySet()) {
            if (file.getValue() > JournalHeader.BYTES) {
                lowest = file.getKey();
                break;
            }
        }
        List<String> missing = new ArrayList<>();
        long next = lowest;
        for (long number : sizes.tailMap(lowest).keySet()) {
            addGap(missing, next, number);
            next = number + 1;
        }
        addGap(missing, next, tombstone);
        if (!missing.isEmpty()) {
            LOG.warn(
                    "{} has files from {} to {}, but not {}: unless nobody needs the files below any more, records are lost",
                    path.lanePrefix(),
                    lowest,
                    tombstone,
                    String.join(", ", missing));
        }
    }

    private static void addGap(List<String> missing, long from, long to) {
        if (from < to) {
            missing.add(from == to - 1 ? Long.toString(from) : from + " to " + (to - 1));
        }
    }

    /**
     * A file whose end is fixed.
     *
     * @param header absent in an empty or torn file
     */
    private record Sealed(long end, Optional<JournalHeader> header) {

        /** Of a fencer that was so late that the writer was far above it already. */
        boolean isTombstone() {
            return header.filter(h -> h.kind() == JournalHeader.Kind.TOMBSTONE).isPresent();
        }
    }

    private CompletableFuture<Void> sealFrom(List<Long> numbers, int next, NavigableMap<Long, Sealed> sealed) {
        if (next == numbers.size()) {
            return CompletableFuture.completedFuture(null);
        }
        int until = Math.min(numbers.size(), next + SEALS_AT_ONCE);
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (long number : numbers.subList(next, until)) {
            running.add(seal(number)
                    .thenAcceptAsync(
                            found -> found.filter(s -> !s.isTombstone()).ifPresent(s -> sealed.put(number, s)), loop));
        }
        return CompletableFuture.allOf(running.toArray(CompletableFuture<?>[]::new))
                .thenComposeAsync(nothing -> sealFrom(numbers, until, sealed), loop);
    }

    /** Empty if the file was deleted meanwhile: then nobody needs it. */
    private CompletableFuture<Optional<Sealed>> seal(long number) {
        return calls.repeat(() -> store.seal(path.file(number)))
                .thenComposeAsync(
                        end -> header(number)
                                .thenApply(header -> Optional.of(
                                        new Sealed(end, end < JournalHeader.BYTES ? Optional.empty() : header))),
                        loop)
                .exceptionally(failure -> {
                    if (StoreCalls.isNotFound(failure)) {
                        return Optional.empty();
                    }
                    throw failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
                });
    }

    /** What a file states of itself, or later ones of it, wins over sealed ends; all statements about one file agree. */
    private List<File> ends(NavigableMap<Long, Sealed> sealed) {
        Map<Long, Long> stated = new HashMap<>();
        sealed.forEach((number, file) -> file.header().ifPresent(header -> state(header, stated)));
        List<File> files = new ArrayList<>();
        sealed.forEach((number, file) -> {
            Long end = stated.get(number);
            files.add(
                    new File(number, path.file(number), Math.toIntExact(end != null ? end : file.end()), end != null));
        });
        return files;
    }

    private static void state(JournalHeader header, Map<Long, Long> stated) {
        long number = header.number();
        if (header.kind() == JournalHeader.Kind.WHOLE) {
            boolean anyFrames = header.length() > JournalHeader.BYTES;
            stated.put(number, anyFrames ? (long) header.length() : 0);
            return;
        }
        long counted = number - 1 - header.skipped();
        if (header.previousEnd() != JournalHeader.NO_PREVIOUS) {
            stated.put(counted, header.previousEnd());
        }
        for (long dead = counted + 1; dead < number; dead++) {
            stated.put(dead, 0L);
        }
    }
}

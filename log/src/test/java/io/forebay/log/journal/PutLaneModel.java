package io.forebay.log.journal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A lane of files that are put whole, without time: one writer that puts, acknowledges and deletes, some fencers that list, read and put tombstones, and cleaners of the
 * ended lane. A request takes effect at any time after it was sent, maybe again much later, whether or not its sender still lives. Where the lane ends
 * is worked out by {@link LaneEnd} itself.
 */
final class PutLaneModel {

    /** Which rule is broken. */
    enum Rule {
        ALL_KEPT,
        DELETE_WITHOUT_WITNESS,
        FENCE_WITHOUT_WITNESS,
        MUTE_TOMBSTONES,
        ACKNOWLEDGE_OUT_OF_ORDER,
        EACH_PUT_PROVES,
        COUNT_WHAT_CAME_AFTER_THE_LISTING
    }

    private static final JournalPath PATH = JournalPath.ofSession(1, 0);
    private static final Maker WRITER = new Maker(1, 1);
    private static final Maker FENCER = new Maker(2, 2);
    private static final int LENGTH = 100;
    private static final int PAGE = 3;

    private final SplittableRandom random;
    private final Rule broken;
    private final int window;
    private final NavigableMap<Long, JournalHeader> store = new TreeMap<>();
    private final List<Runnable> requests = new ArrayList<>();
    private final List<Fencer> fencers = new ArrayList<>();
    private int now;

    // ---- the writer
    private boolean writerLives = true;
    private long nextNumber;
    private long acknowledged = -1;
    private long nextToDelete;
    private boolean deleting;
    private final Map<Long, Long> says = new HashMap<>();
    private final Map<Long, Integer> begun = new HashMap<>();
    private final Set<Long> answered = new HashSet<>();
    private int provenAt = -1;

    // ---- what really happened
    private final Set<Long> everWritten = new HashSet<>();
    private final Map<Long, Integer> tombstonesPutAt = new HashMap<>();
    private long endFound = -1;
    private long highestAcknowledged = -1;
    private String problem = "";

    private PutLaneModel(long seed, Rule broken) {
        this.random = new SplittableRandom(seed);
        this.broken = broken;
        this.window = 1 + random.nextInt(5);
    }

    /** What is wrong after some steps, if anything. */
    static Optional<String> run(long seed, int steps, Rule broken) {
        PutLaneModel model = new PutLaneModel(seed, broken);
        int firstFencerAt = model.random.nextInt(steps);
        for (model.now = 0; model.now < steps; model.now++) {
            model.step(firstFencerAt);
            Optional<String> wrong = model.wrong();
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.empty();
    }

    private void step(int firstFencerAt) {
        int what = random.nextInt(12);
        if (what < 3) {
            beginPut();
        } else if (what < 7) {
            takeEffect();
        } else if (what < 8) {
            beginDelete();
        } else if (now >= firstFencerAt || random.nextInt(20) == 0) {
            if (fencers.isEmpty() || (fencers.size() < 4 && random.nextInt(30) == 0)) {
                fencers.add(new Fencer());
            }
            fencers.get(random.nextInt(fencers.size())).step();
        }
        if (random.nextInt(400) == 0) {
            writerLives = false;
        }
    }

    /** A request arrives. It may do so again: then it stays. */
    private void takeEffect() {
        if (requests.isEmpty()) {
            return;
        }
        int recent = Math.max(0, requests.size() - 1 - random.nextInt(8));
        Runnable request = requests.get(random.nextInt(4) == 0 ? random.nextInt(requests.size()) : recent);
        if (random.nextInt(10) > 0) {
            requests.remove(request);
        }
        request.run();
    }

    private void beginPut() {
        // The first file is put alone.
        boolean room = nextNumber == 0 || (acknowledged >= 0 && nextNumber <= acknowledged + window);
        if (!writerLives) {
            return;
        }
        long number = room ? nextNumber++ : acknowledged + 1;
        begun.putIfAbsent(number, now);
        says.putIfAbsent(number, acknowledged);
        JournalHeader header = JournalHeader.whole(PATH, number, says.get(number), LENGTH, WRITER, 0);
        requests.add(() -> {
            JournalHeader there = store.putIfAbsent(number, header);
            if (there == null) {
                everWritten.add(number);
            }
            boolean fenced = there != null && !there.equals(header);
            requests.add(() -> hear(number, fenced));
        });
    }

    private void hear(long number, boolean fenced) {
        if (!writerLives) {
            return;
        }
        if (fenced) {
            writerLives = false;
            return;
        }
        answered.add(number);
        if (broken == Rule.EACH_PUT_PROVES) {
            provenAt = Math.max(provenAt, begunAt(number));
        }
        if (broken == Rule.ACKNOWLEDGE_OUT_OF_ORDER) {
            acknowledge(Math.max(acknowledged, number));
        }
        while (answered.contains(acknowledged + 1)) {
            acknowledge(acknowledged + 1);
        }
    }

    private int begunAt(long number) {
        return begun.getOrDefault(number, now);
    }

    private void acknowledge(long number) {
        acknowledged = number;
        highestAcknowledged = Math.max(highestAcknowledged, number);
        provenAt = Math.max(provenAt, begunAt(number));
    }

    private void beginDelete() {
        long below = broken == Rule.DELETE_WITHOUT_WITNESS ? acknowledged : says.getOrDefault(acknowledged, -1L) + 1;
        if (!writerLives || deleting || nextToDelete >= below) {
            return;
        }
        deleting = true;
        long number = nextToDelete;
        requests.add(() -> {
            store.remove(number);
            requests.add(() -> {
                if (deleting && nextToDelete == number) {
                    nextToDelete++;
                    deleting = false;
                }
            });
        });
    }

    private Optional<String> wrong() {
        if (!problem.isEmpty()) {
            return Optional.of(problem);
        }
        if (endFound < 0) {
            return Optional.empty();
        }
        if (highestAcknowledged >= endFound) {
            return Optional.of(highestAcknowledged + " was acknowledged, but the lane ends at " + endFound);
        }
        if (tombstonesPutAt.getOrDefault(endFound, now) < provenAt) {
            return Optional.of("the writer believes that it was not fenced at " + provenAt);
        }
        return Optional.empty();
    }

    private final class Fencer {
        private NavigableSet<Long> listed = new TreeSet<>();
        private boolean listedAll;
        private long ended = -1;
        private long seen = -1;

        void step() {
            if (ended >= 0) {
                clean();
            } else if (!listedAll) {
                list();
            } else {
                decide();
            }
        }

        private void list() {
            long after = listed.isEmpty() ? -1 : listed.last();
            List<Long> page =
                    store.tailMap(after, false).keySet().stream().limit(PAGE).toList();
            listed.addAll(page);
            listedAll = page.size() < PAGE;
        }

        private void listAgain() {
            listed = new TreeSet<>();
            listedAll = false;
        }

        private void decide() {
            LaneEnd end = new LaneEnd(listed);
            for (List<Long> wanted = end.toRead(); !wanted.isEmpty(); wanted = end.toRead()) {
                for (long number : wanted) {
                    JournalHeader header = store.get(number);
                    if (header == null) {
                        listAgain();
                        return;
                    }
                    end.found(number, Optional.of(header));
                }
            }
            long place = broken == Rule.FENCE_WITHOUT_WITNESS || broken == Rule.MUTE_TOMBSTONES
                    ? brokenPlace()
                    : end.place();
            JournalHeader there = store.get(place);
            boolean isTombstone =
                    listed.contains(place) && there != null && there.kind() == JournalHeader.Kind.TOMBSTONE;
            boolean seenBefore = place == seen || broken == Rule.COUNT_WHAT_CAME_AFTER_THE_LISTING;
            if (isTombstone && seenBefore) {
                found(place);
                return;
            }
            if (isTombstone) {
                seen = place;
            } else {
                put(place);
            }
            listAgain();
        }

        /** The first number that is no data file: above the lowest, or above what data files alone say. */
        private long brokenPlace() {
            long written = -1;
            if (broken == Rule.MUTE_TOMBSTONES) {
                for (JournalHeader header : store.values()) {
                    if (header.kind() == JournalHeader.Kind.WHOLE) {
                        written = Math.max(written, header.written());
                    }
                }
            } else if (!listed.isEmpty()) {
                written = listed.first() - 1;
            }
            long place = written + 1;
            while (store.containsKey(place) && store.get(place).kind() == JournalHeader.Kind.WHOLE) {
                place++;
            }
            return place;
        }

        private void put(long number) {
            requests.add(() -> {
                if (store.putIfAbsent(number, JournalHeader.tombstone(PATH, number, FENCER, 0)) == null) {
                    tombstonesPutAt.put(number, now);
                }
            });
        }

        private void found(long place) {
            if (endFound >= 0 && endFound != place) {
                problem = "one found the end at " + endFound + ", another at " + place;
            }
            for (long number = 0; number < place; number++) {
                if (!everWritten.contains(number)) {
                    problem = "the lane ends at " + place + ", but " + number + " was never written";
                }
            }
            endFound = place;
            ended = place;
        }

        /** Everything but the tombstone can go, in any order; now and then somebody looks anew. */
        private void clean() {
            if (random.nextInt(10) == 0) {
                ended = -1;
                listAgain();
            } else if (!store.isEmpty()) {
                List<Long> there = List.copyOf(store.keySet());
                long number = there.get(random.nextInt(there.size()));
                if (number != ended) {
                    requests.add(() -> store.remove(number));
                }
            }
        }
    }
}

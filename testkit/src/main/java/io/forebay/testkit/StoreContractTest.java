package io.forebay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every back end of the store promises, clause by clause of {@link Store}. A back end passes it by a subclass that
 * opens a fresh, empty store; clauses about appending are skipped where the back end cannot append.
 */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class StoreContractTest {

    private static final int RACERS = 6;

    private Store store;
    private ExecutorService racers;

    /** A new, empty store. Called once per test. */
    protected abstract Store openEmpty() throws Exception;

    /** The size of the object that counts as big for this back end. */
    protected int bigObjectBytes() {
        return 9 * 1024 * 1024 + 17;
    }

    @BeforeEach
    final void openStore() throws Exception {
        store = openEmpty();
        racers = Executors.newFixedThreadPool(RACERS);
    }

    @AfterEach
    final void closeStore() {
        racers.shutdownNow();
        store.close();
    }

    // ---- put

    @Test
    void putObjectReadsBackWhole() throws Exception {
        byte[] content = bytes("hello, river");

        assertThat(put("a/b", content)).isEqualTo(PutOutcome.WRITTEN);

        assertThat(readAll("a/b")).isEqualTo(content);
        assertThat(keys(list("", "", 10))).containsExactly("a/b");
    }

    @Test
    void secondPutChangesNothing() throws Exception {
        assertThat(put("k", bytes("first"))).isEqualTo(PutOutcome.WRITTEN);

        assertThat(put("k", bytes("second and longer"))).isEqualTo(PutOutcome.ALREADY_EXISTS);

        assertThat(readAll("k")).isEqualTo(bytes("first"));
    }

    @Test
    void putLeavesTheCallersBufferAsItWas() throws Exception {
        ByteBuffer content = ByteBuffer.wrap(bytes("xxhelloyy"), 2, 5);

        assertThat(await(store.putIfAbsent(ObjectKey.of("k"), content))).isEqualTo(PutOutcome.WRITTEN);

        assertThat(content.position()).isEqualTo(2);
        assertThat(content.limit()).isEqualTo(7);
        assertThat(readAll("k")).isEqualTo(bytes("hello"));
    }

    @Test
    void directBuffersWorkToo() throws Exception {
        ByteBuffer content = ByteBuffer.allocateDirect(100_000);
        for (int i = 0; i < content.capacity(); i++) {
            content.put(i, (byte) (i * 7));
        }
        assertThat(await(store.putIfAbsent(ObjectKey.of("k"), content))).isEqualTo(PutOutcome.WRITTEN);

        ByteBuffer read = ByteBuffer.allocateDirect(100_000);
        assertThat(await(store.read(ObjectKey.of("k"), 0, read))).isEqualTo(100_000);

        assertThat(read.flip()).isEqualTo(content);
    }

    @Test
    void emptyObjectIsAnObject() throws Exception {
        assertThat(put("empty", new byte[0])).isEqualTo(PutOutcome.WRITTEN);

        assertThat(put("empty", bytes("x"))).isEqualTo(PutOutcome.ALREADY_EXISTS);
        assertThat(readAll("empty")).isEmpty();
        assertThat(list("", "", 10)).containsExactly(new ObjectStat(ObjectKey.of("empty"), 0));
        assertThat(await(store.seal(ObjectKey.of("empty")))).isZero();
    }

    @Test
    void bigObjectReadsBackWhole() throws Exception {
        byte[] content = random(bigObjectBytes(), 42);

        assertThat(put("big", content)).isEqualTo(PutOutcome.WRITTEN);

        assertThat(readAll("big")).isEqualTo(content);
    }

    @Test
    void exactlyOneOfSeveralRacingPutsIsWritten() throws Exception {
        for (int round = 0; round < 20; round++) {
            String key = "race/" + round;
            List<PutOutcome> outcomes = race(racer -> put(key, random(20_000 + racer, racer)));

            assertThat(outcomes).containsOnlyOnce(PutOutcome.WRITTEN);
            assertThat(outcomes).filteredOn(o -> o == PutOutcome.ALREADY_EXISTS).hasSize(RACERS - 1);
            int winner = outcomes.indexOf(PutOutcome.WRITTEN);
            assertThat(readAll(key)).isEqualTo(random(20_000 + winner, winner));
        }
    }

    @Test
    void putAppearsAtOnceOrNotAtAll() throws Exception {
        byte[] content = random(300_000, 7);
        for (int round = 0; round < 10; round++) {
            String key = "whole/" + round;
            List<String> seen = race(racer -> {
                if (racer == 0) {
                    return put(key, content).toString();
                }
                for (int i = 0; i < 200; i++) {
                    byte[] part = readIfThere(key);
                    if (part != null) {
                        return Arrays.equals(part, content) ? "whole" : "part of " + part.length;
                    }
                }
                return "nothing";
            });
            assertThat(seen).allMatch(s -> s.equals("WRITTEN") || s.equals("whole") || s.equals("nothing"));
        }
    }

    @Test
    void racingPutsIntoTheSameNewFolderAllSucceed() throws Exception {
        for (int round = 0; round < 20; round++) {
            String folder = "deep/" + round + "/x/y/";
            List<PutOutcome> outcomes = race(racer -> put(folder + racer, bytes("r" + racer)));

            assertThat(outcomes).containsOnly(PutOutcome.WRITTEN);
            assertThat(list(folder, "", 100)).hasSize(RACERS);
        }
    }

    @Test
    void putsAndDeletesInTheSameFolderDoNotDisturbEachOther() throws Exception {
        List<Integer> failed = race(racer -> {
            int wrong = 0;
            for (int i = 0; i < 60; i++) {
                String key = "busy/folder/" + racer + "-" + i;
                if (put(key, bytes(key)) != PutOutcome.WRITTEN || !Arrays.equals(readAll(key), bytes(key))) {
                    wrong++;
                }
                await(store.delete(ObjectKey.of(key)));
            }
            return wrong;
        });

        assertThat(failed).containsOnly(0);
        assertThat(list("", "", 10)).isEmpty();
    }

    // ---- upload

    @Test
    void uploadIsVisibleOnlyAfterCommit() throws Exception {
        ObjectUpload upload = await(store.beginUpload(ObjectKey.of("up/1")));
        await(upload.write(ByteBuffer.wrap(bytes("one "))));
        await(upload.write(ByteBuffer.wrap(bytes("two"))));

        assertThat(list("", "", 10)).isEmpty();
        assertThat(readIfThere("up/1")).isNull();

        assertThat(await(upload.commit())).isEqualTo(PutOutcome.WRITTEN);
        assertThat(readAll("up/1")).isEqualTo(bytes("one two"));
        assertThat(list("", "", 10)).containsExactly(new ObjectStat(ObjectKey.of("up/1"), 7));
        upload.abort();
        assertThat(readAll("up/1")).isEqualTo(bytes("one two"));
    }

    @Test
    void abortedUploadLeavesNothing() throws Exception {
        ObjectUpload upload = await(store.beginUpload(ObjectKey.of("up/1")));
        await(upload.write(ByteBuffer.wrap(bytes("gone"))));

        upload.abort();
        upload.abort();

        assertThat(list("", "", 10)).isEmpty();
        assertThat(put("up/1", bytes("other"))).isEqualTo(PutOutcome.WRITTEN);
    }

    @Test
    void uploadLosesAgainstAnObjectThatCameFirst() throws Exception {
        ObjectUpload upload = await(store.beginUpload(ObjectKey.of("up/1")));
        await(upload.write(ByteBuffer.wrap(bytes("late"))));
        assertThat(put("up/1", bytes("first"))).isEqualTo(PutOutcome.WRITTEN);

        assertThat(await(upload.commit())).isEqualTo(PutOutcome.ALREADY_EXISTS);

        assertThat(readAll("up/1")).isEqualTo(bytes("first"));
    }

    @Test
    void exactlyOneOfSeveralRacingUploadsIsWritten() throws Exception {
        for (int round = 0; round < 10; round++) {
            ObjectKey key = ObjectKey.of("race/" + round);
            List<PutOutcome> outcomes = race(racer -> {
                ObjectUpload upload = await(store.beginUpload(key));
                await(upload.write(ByteBuffer.wrap(bytes("racer " + racer))));
                return await(upload.commit());
            });

            assertThat(outcomes).containsOnlyOnce(PutOutcome.WRITTEN);
            int winner = outcomes.indexOf(PutOutcome.WRITTEN);
            assertThat(readAll(key.value())).isEqualTo(bytes("racer " + winner));
        }
    }

    @Test
    void bigUploadInPiecesReadsBackWhole() throws Exception {
        byte[] content = random(bigObjectBytes(), 3);
        ObjectUpload upload = await(store.beginUpload(ObjectKey.of("up/big")));
        for (int from = 0; from < content.length; from += 1_000_003) {
            int count = Math.min(1_000_003, content.length - from);
            await(upload.write(ByteBuffer.wrap(content, from, count)));
        }
        assertThat(await(upload.commit())).isEqualTo(PutOutcome.WRITTEN);

        assertThat(readAll("up/big")).isEqualTo(content);
    }

    @Test
    void uploadOfNothingIsAnEmptyObject() throws Exception {
        ObjectUpload upload = await(store.beginUpload(ObjectKey.of("up/none")));

        assertThat(await(upload.commit())).isEqualTo(PutOutcome.WRITTEN);

        assertThat(readAll("up/none")).isEmpty();
    }

    // ---- read

    @Test
    void readsEndAtTheEndOfTheObject() throws Exception {
        make("k", bytes("0123456789"));

        assertThat(read("k", 0, 4)).isEqualTo(bytes("0123"));
        assertThat(read("k", 6, 4)).isEqualTo(bytes("6789"));
        assertThat(read("k", 6, 100)).isEqualTo(bytes("6789"));
        assertThat(read("k", 9, 1)).isEqualTo(bytes("9"));
        assertThat(read("k", 10, 1)).isEmpty();
        assertThat(read("k", 1_000_000_000_000L, 5)).isEmpty();
        assertThat(read("k", 3, 0)).isEmpty();
    }

    @Test
    void readMovesThePositionByWhatItRead() throws Exception {
        make("k", bytes("0123456789"));
        ByteBuffer destination = ByteBuffer.allocate(8);
        destination.put((byte) '!');

        assertThat(await(store.read(ObjectKey.of("k"), 5, destination))).isEqualTo(5);

        assertThat(destination.position()).isEqualTo(6);
        assertThat(Arrays.copyOf(destination.array(), 6)).isEqualTo(bytes("!56789"));
    }

    @Test
    void readAndSealOfNothingIsNotFound() {
        assertThat(failure(store.read(ObjectKey.of("none"), 0, ByteBuffer.allocate(1))))
                .isEqualTo(StoreException.Kind.NOT_FOUND);
        assertThat(failure(store.read(ObjectKey.of("none/deep/er"), 0, ByteBuffer.allocate(1))))
                .isEqualTo(StoreException.Kind.NOT_FOUND);
        assertThat(failure(store.seal(ObjectKey.of("none")))).isEqualTo(StoreException.Kind.NOT_FOUND);
    }

    @Test
    void aFolderIsNotAnObject() throws Exception {
        make("folder/k", bytes("x"));

        assertThat(failure(store.read(ObjectKey.of("folder"), 0, ByteBuffer.allocate(1))))
                .isEqualTo(StoreException.Kind.NOT_FOUND);
        assertThat(failure(store.seal(ObjectKey.of("folder")))).isEqualTo(StoreException.Kind.NOT_FOUND);
        await(store.delete(ObjectKey.of("folder")));
        assertThat(readAll("folder/k")).isEqualTo(bytes("x"));
        assertThat(failure(store.read(ObjectKey.of("folder/k/deeper"), 0, ByteBuffer.allocate(1))))
                .isEqualTo(StoreException.Kind.NOT_FOUND);
    }

    @Test
    void negativePositionIsInvalid() throws Exception {
        make("k", bytes("x"));

        assertThat(failure(store.read(ObjectKey.of("k"), -1, ByteBuffer.allocate(1))))
                .isEqualTo(StoreException.Kind.INVALID);
    }

    @Test
    void manyReadersSeeTheSameBytes() throws Exception {
        int objects = 40;
        for (int i = 0; i < objects; i++) {
            make("many/" + i, random(5_000, i));
        }
        List<Boolean> right = race(racer -> {
            SplittableRandom chance = new SplittableRandom(racer);
            for (int i = 0; i < 300; i++) {
                int object = chance.nextInt(objects);
                int from = chance.nextInt(5_000);
                byte[] expected = random(5_000, object);
                byte[] got = read("many/" + object, from, 700);
                if (!Arrays.equals(got, Arrays.copyOfRange(expected, from, Math.min(5_000, from + 700)))) {
                    return false;
                }
            }
            return true;
        });
        assertThat(right).containsOnly(true);
    }

    // ---- list

    @Test
    void listsInKeyOrderByPrefixStartAndLimit() throws Exception {
        TreeMap<String, byte[]> expected = new TreeMap<>();
        for (String key : List.of(
                "a/1", "a/2", "a/10", "a-b/1", "a.b", "a/b/c", "a/b.c", "a/b-c/d", "a0", "b/1", "b/2/3", "b_/4",
                "b0/1")) {
            expected.put(key, bytes("content of " + key));
            make(key, bytes("content of " + key));
        }

        assertThat(keys(list("", "", 100))).containsExactlyElementsOf(expected.keySet());
        assertThat(list("", "", 100))
                .allSatisfy(s ->
                        assertThat(s.sizeBytes()).isEqualTo(11 + s.key().value().length()));
        for (String prefix : List.of("", "a", "a/", "a/b", "a/b/", "a/1", "b", "b/2/", "b/2/3", "c", "a/b/c/d", "A")) {
            List<String> matching =
                    expected.keySet().stream().filter(k -> k.startsWith(prefix)).toList();
            assertThat(keys(list(prefix, "", 100))).as("prefix '%s'", prefix).containsExactlyElementsOf(matching);
            assertThat(keys(list(prefix, "", 2)))
                    .as("two of '%s'", prefix)
                    .containsExactlyElementsOf(matching.stream().limit(2).toList());
            for (String after : List.of("a", "a/1", "a/b", "a/b/", "a/b/c", "a/zz", "b", "b/2", "zz", "0")) {
                assertThat(keys(list(prefix, after, 3)))
                        .as("three of '%s' after '%s'", prefix, after)
                        .containsExactlyElementsOf(matching.stream()
                                .filter(k -> k.compareTo(after) > 0)
                                .limit(3)
                                .toList());
            }
        }
    }

    @Test
    void pagesOfAListingAddUp() throws Exception {
        for (int i = 0; i < 57; i++) {
            make("p/" + i % 5 + "/" + i, bytes("" + i));
        }
        List<String> all = new ArrayList<>();
        String after = "";
        while (true) {
            List<String> page = keys(list("p/", after, 10));
            all.addAll(page);
            if (page.size() < 10) {
                break;
            }
            after = page.get(page.size() - 1);
        }
        assertThat(all).hasSize(57).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void limitMustBePositive() {
        assertThat(failure(store.list("", "", 0))).isEqualTo(StoreException.Kind.INVALID);
    }

    @Test
    void oddPrefixesListNothing() throws Exception {
        make("k", bytes("x"));
        for (String prefix : List.of("/", "..", "../", "/etc", "k/", "k//", ".", "\u0000", "K")) {
            assertThat(list(prefix, "", 10)).as("prefix '%s'", prefix).isEmpty();
        }
    }

    @Test
    void listingSeesEveryAcknowledgedObjectWhileOthersComeAndGo() throws Exception {
        make("w/0-fixed", bytes("x"));
        make("w/9-fixed", bytes("x"));
        List<Boolean> right = race(racer -> {
            for (int i = 0; i < 60; i++) {
                String mine = "w/5/" + racer + "/" + i;
                make(mine, bytes("x"));
                List<String> seen = keys(list("w/", "", 1_000));
                if (!seen.contains(mine) || !seen.contains("w/0-fixed") || !seen.contains("w/9-fixed")) {
                    return false;
                }
                await(store.delete(ObjectKey.of(mine)));
                if (keys(list("w/", "", 1_000)).contains(mine)) {
                    return false;
                }
            }
            return true;
        });
        assertThat(right).containsOnly(true);
    }

    // ---- delete

    @Test
    void deletedObjectIsGone() throws Exception {
        make("d/k", bytes("x"));
        assertThat(readAll("d/k")).hasSize(1);

        await(store.delete(ObjectKey.of("d/k")));

        assertThat(list("", "", 10)).isEmpty();
        assertThat(readIfThere("d/k")).isNull();
        assertThat(failure(store.seal(ObjectKey.of("d/k")))).isEqualTo(StoreException.Kind.NOT_FOUND);
    }

    @Test
    void deleteOfNothingSucceeds() throws Exception {
        await(store.delete(ObjectKey.of("none")));
        await(store.delete(ObjectKey.of("none/at/all")));
        make("k", bytes("x"));
        await(store.delete(ObjectKey.of("k")));
        await(store.delete(ObjectKey.of("k")));
        await(store.delete(ObjectKey.of("k/below")));
    }

    // ---- append and seal

    @Test
    void appendedBytesReadBackInOrder() throws Exception {
        Appender appender = create("j/0", "j/1");

        assertThat(append(appender, "one ")).isEqualTo(new AppendOutcome.Durable(4));
        ByteBuffer two = ByteBuffer.wrap(bytes("--two--"), 2, 3);
        assertThat(await(appender.append(List.of(two, ByteBuffer.allocate(0), ByteBuffer.wrap(bytes(" three"))))))
                .isEqualTo(new AppendOutcome.Durable(13));

        assertThat(two.position()).isEqualTo(2);
        assertThat(two.remaining()).isEqualTo(3);
        assertThat(readAll("j/0")).isEqualTo(bytes("one two three"));
        assertThat(keys(list("j/", "", 10))).containsExactly("j/0");
        await(appender.close());
        assertThat(readAll("j/0")).isEqualTo(bytes("one two three"));
    }

    @Test
    void appendOfManyPiecesAndOfNothing() throws Exception {
        Appender appender = create("j/0", "j/1");
        List<ByteBuffer> pieces = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            ByteBuffer piece = i % 2 == 0 ? ByteBuffer.allocate(100) : ByteBuffer.allocateDirect(100);
            piece.putInt(0, i);
            pieces.add(piece);
        }
        assertThat(await(appender.append(List.of()))).isEqualTo(new AppendOutcome.Durable(0));
        assertThat(await(appender.append(pieces))).isEqualTo(new AppendOutcome.Durable(300_000));
        await(appender.close());

        ByteBuffer all = ByteBuffer.wrap(readAll("j/0"));
        for (int i = 0; i < 3_000; i++) {
            assertThat(all.getInt(i * 100)).isEqualTo(i);
        }
    }

    @Test
    void createIsExclusive() throws Exception {
        assumeAppend();
        make("j/0", bytes("x"));
        assertThat(create("j/1", "j/2")).isNotNull();

        assertThat(await(store.createAppender(ObjectKey.of("j/0"), ObjectKey.of("j/9"))))
                .isEqualTo(new CreateOutcome.AlreadyExists());
        assertThat(await(store.createAppender(ObjectKey.of("j/1"), ObjectKey.of("j/9"))))
                .isEqualTo(new CreateOutcome.AlreadyExists());
        assertThat(put("j/1", bytes("x"))).isEqualTo(PutOutcome.ALREADY_EXISTS);
    }

    @Test
    void exactlyOneOfRacingPutsAndCreatesWins() throws Exception {
        assumeAppend();
        for (int round = 0; round < 20; round++) {
            ObjectKey key = ObjectKey.of("race/" + round);
            List<String> outcomes = race(racer -> racer % 2 == 0
                    ? put(key.value(), bytes("tombstone")).toString()
                    : await(store.createAppender(key, ObjectKey.of("never")))
                            .fold(created -> "WRITTEN", () -> "ALREADY_EXISTS", unknown -> "OUTCOME_UNKNOWN"));

            assertThat(outcomes).containsOnlyOnce("WRITTEN");
            assertThat(outcomes).filteredOn("ALREADY_EXISTS"::equals).hasSize(RACERS - 1);
        }
    }

    @Test
    void createdObjectIsListedAndReadable() throws Exception {
        assertThat(create("j/0", "j/1")).isNotNull();

        assertThat(keys(list("", "", 10))).containsExactly("j/0");
        assertThat(readAll("j/0")).isEmpty();
    }

    @Test
    void writerIsFencedOnceItsSuccessorExists() throws Exception {
        Appender appender = create("j/0", "j/1");
        assertThat(append(appender, "acked")).isEqualTo(new AppendOutcome.Durable(5));
        assertThat(put("j/1", bytes("tombstone"))).isEqualTo(PutOutcome.WRITTEN);

        assertThat(append(appender, "late")).isEqualTo(new AppendOutcome.Fenced());
        assertThat(append(appender, "later")).isNotInstanceOf(AppendOutcome.Durable.class);

        long end = await(store.seal(ObjectKey.of("j/0")));
        assertThat(end).isBetween(5L, 9L);
        assertThat(readAll("j/0")).hasSize((int) end).startsWith(bytes("acked"));
    }

    @Test
    void sealHasTheSameEndForEveryCaller() throws Exception {
        Appender appender = create("j/0", "j/1");
        appendDurably(appender, "0123456789");
        make("j/1", bytes("tombstone"));

        List<Long> ends = race(racer -> await(store.seal(ObjectKey.of("j/0"))));

        assertThat(ends).containsOnly(10L);
        assertThat(append(appender, "late")).isEqualTo(new AppendOutcome.Fenced());
        assertThat(await(store.seal(ObjectKey.of("j/0")))).isEqualTo(10L);
        assertThat(readAll("j/0")).isEqualTo(bytes("0123456789"));
        assertThat(read("j/0", 8, 100)).isEqualTo(bytes("89"));
        assertThat(read("j/0", 10, 100)).isEmpty();
        assertThat(keys(list("", "", 10))).containsExactly("j/0", "j/1");
        assertThat(list("j/0", "", 1).get(0).sizeBytes()).isEqualTo(10);
    }

    @Test
    void sealOfAClosedOrEmptyFileWorks() throws Exception {
        Appender closed = create("j/0", "j/1");
        appendDurably(closed, "abc");
        await(closed.close());
        assertThat(create("j/5", "j/6")).isNotNull();

        assertThat(await(store.seal(ObjectKey.of("j/0")))).isEqualTo(3);
        assertThat(await(store.seal(ObjectKey.of("j/5")))).isZero();
        assertThat(readAll("j/5")).isEmpty();
    }

    @Test
    void appendAfterCloseIsRefused() throws Exception {
        Appender appender = create("j/0", "j/1");
        appendDurably(appender, "abc");
        await(appender.close());
        await(appender.close());

        assertThat(append(appender, "def")).isInstanceOf(AppendOutcome.Failed.class);
        assertThat(readAll("j/0")).isEqualTo(bytes("abc"));
    }

    @Test
    void putObjectIsCompleteByItself() throws Exception {
        make("k", bytes("0123"));

        assertThat(await(store.seal(ObjectKey.of("k")))).isEqualTo(4);
        assertThat(readAll("k")).isEqualTo(bytes("0123"));
        assertThat(keys(list("", "", 10))).containsExactly("k");
    }

    @Test
    void deleteRemovesASealedObjectWhole() throws Exception {
        Appender appender = create("j/0", "j/1");
        appendDurably(appender, "0123");
        assertThat(await(store.seal(ObjectKey.of("j/0")))).isEqualTo(4);
        await(appender.close());

        await(store.delete(ObjectKey.of("j/0")));

        assertThat(list("", "", 10)).isEmpty();
        assertThat(put("j/0", bytes("a longer object"))).isEqualTo(PutOutcome.WRITTEN);
        assertThat(readAll("j/0")).isEqualTo(bytes("a longer object"));
    }

    /** The interleaving the design rests on: fencers seal while the writer goes on as fast as it can. */
    @Test
    void fencingARunningWriterLosesNoAcknowledgedByte() throws Exception {
        assumeAppend();
        for (int round = 0; round < 25; round++) {
            String file = "f/" + round + "/0";
            String next = "f/" + round + "/1";
            Appender appender = create(file, next);
            int pace = round;
            ConcurrentMap<Integer, Long> ends = new ConcurrentHashMap<>();
            List<Long> acked = race(racer -> {
                if (racer == 0) {
                    return writeUntilFenced(appender);
                }
                assertThat(await(store.read(ObjectKey.of(file), 0, ByteBuffer.allocate(1 + 10 * pace))))
                        .isNotNegative();
                PutOutcome tombstone = put(next, bytes("tombstone"));
                assertThat(tombstone).isIn(PutOutcome.WRITTEN, PutOutcome.ALREADY_EXISTS);
                ends.put(racer, await(store.seal(ObjectKey.of(file))));
                byte[] seen = readAll(file);
                assertThat((long) seen.length).isEqualTo(ends.get(racer));
                return -1L;
            });

            assertThat(ends.values()).hasSize(RACERS - 1);
            long end = await(store.seal(ObjectKey.of(file)));
            assertThat(ends.values()).containsOnly(end);
            assertThat(end).isGreaterThanOrEqualTo(acked.get(0));
            ByteBuffer content = ByteBuffer.wrap(readAll(file));
            assertThat(content.remaining()).isEqualTo((int) end);
            for (long n = 0; content.remaining() >= 8; n++) {
                assertThat(content.getLong()).isEqualTo(n);
            }
        }
    }

    /** Appends 0, 1, 2… until fenced and returns the acknowledged end. */
    private static long writeUntilFenced(Appender appender) throws Exception {
        long acked = 0;
        for (long n = 0; ; n++) {
            ByteBuffer eight = ByteBuffer.allocate(8).putLong(n).flip();
            AppendOutcome outcome = await(appender.append(List.of(eight)));
            if (outcome instanceof AppendOutcome.Durable durable) {
                acked = durable.endPosition();
                assertThat(acked).isEqualTo((n + 1) * 8);
            } else {
                assertThat(outcome).isEqualTo(new AppendOutcome.Fenced());
                assertThat(await(appender.append(List.of(ByteBuffer.wrap(bytes("x"))))))
                        .isNotInstanceOf(AppendOutcome.Durable.class);
                return acked;
            }
        }
    }

    // ---- names

    @Test
    void longAndDeepKeysWork() throws Exception {
        String deep = "d/".repeat(100) + "end";
        String wide = "w/" + "n".repeat(200) + "/" + ObjectKey.padded(Long.MAX_VALUE);

        assertThat(put(deep, bytes("deep"))).isEqualTo(PutOutcome.WRITTEN);
        assertThat(put(wide, bytes("wide"))).isEqualTo(PutOutcome.WRITTEN);

        assertThat(readAll(deep)).isEqualTo(bytes("deep"));
        assertThat(keys(list("", "", 10))).containsExactly(deep, wide);
        await(store.delete(ObjectKey.of(deep)));
        assertThat(keys(list("", "", 10))).containsExactly(wide);
    }

    @Test
    void namesThatABackEndMightUseItselfAreOrdinaryKeys() throws Exception {
        List<String> odd =
                List.of("a.sealed", "a/b.sealed", "format", "lock", "reserve", "tmp/x", "x.tmp", "y.", "z..z");
        for (String key : odd) {
            assertThat(put(key, bytes(key))).as(key).isEqualTo(PutOutcome.WRITTEN);
        }
        assertThat(keys(list("", "", 100))).containsExactlyInAnyOrderElementsOf(odd);
        for (String key : odd) {
            assertThat(readAll(key)).as(key).isEqualTo(bytes(key));
        }
    }

    // ---- the hands of the tests

    /** The store under test, for clauses that a back end adds. */
    protected final Store store() {
        return store;
    }

    protected static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    protected final PutOutcome put(String key, byte[] content) throws Exception {
        return await(store.putIfAbsent(ObjectKey.of(key), ByteBuffer.wrap(content)));
    }

    /** A put that must succeed. */
    protected final void make(String key, byte[] content) throws Exception {
        assertThat(put(key, content)).as(key).isEqualTo(PutOutcome.WRITTEN);
    }

    /** An append that must succeed. */
    protected static void appendDurably(Appender appender, String text) throws Exception {
        assertThat(append(appender, text)).isInstanceOf(AppendOutcome.Durable.class);
    }

    protected final byte[] readAll(String key) throws Exception {
        byte[] whole = readIfThere(key);
        assertThat(whole).as("object %s", key).isNotNull();
        return whole == null ? new byte[0] : whole;
    }

    protected final byte[] read(String key, long position, int length) throws Exception {
        ByteBuffer destination = ByteBuffer.allocate(length);
        int count = await(store.read(ObjectKey.of(key), position, destination));
        assertThat(destination.position()).isEqualTo(count);
        return Arrays.copyOf(destination.array(), count);
    }

    protected final Appender create(String key, String successor) throws Exception {
        assumeAppend();
        CreateOutcome outcome = await(store.createAppender(ObjectKey.of(key), ObjectKey.of(successor)));
        assertThat(outcome).isInstanceOf(CreateOutcome.Created.class);
        return ((CreateOutcome.Created) outcome).appender();
    }

    protected static AppendOutcome append(Appender appender, String text) throws Exception {
        return await(appender.append(List.of(ByteBuffer.wrap(bytes(text)))));
    }

    protected final List<ObjectStat> list(String prefix, String startAfter, int limit) throws Exception {
        return await(store.list(prefix, startAfter, limit));
    }

    protected static List<String> keys(List<ObjectStat> stats) {
        return stats.stream().map(s -> s.key().value()).toList();
    }

    @SuppressWarnings("NullAway") // a future of Void completes with null
    protected static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    /** The kind of the exception that the future completes with. */
    protected static StoreException.Kind failure(CompletableFuture<?> future) {
        try {
            Object value = future.get(60, TimeUnit.SECONDS);
            throw new AssertionError("expected a failure, got " + value);
        } catch (ExecutionException failed) {
            assertThat(failed.getCause()).isInstanceOf(StoreException.class);
            return failed.getCause() instanceof StoreException known ? known.kind() : StoreException.Kind.CORRUPT;
        } catch (InterruptedException | TimeoutException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    /** What one of several racing callers does; {@code racer} counts from 0. */
    protected interface Racer<T> {
        T run(int racer) throws Exception;
    }

    /** Runs it {@value #RACERS} times at once and returns the results by racer. */
    protected final <T> List<T> race(Racer<T> racer) throws Exception {
        CyclicBarrier start = new CyclicBarrier(RACERS);
        List<Callable<T>> runs = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            int number = i;
            runs.add(() -> {
                start.await(60, TimeUnit.SECONDS);
                return racer.run(number);
            });
        }
        List<T> results = new ArrayList<>();
        for (Future<T> result : racers.invokeAll(runs)) {
            results.add(result.get(60, TimeUnit.SECONDS));
        }
        return results;
    }

    private void assumeAppend() {
        assumeThat(store.capabilities().append()).as("back end can append").isTrue();
    }

    private byte @Nullable [] readIfThere(String key) throws Exception {
        ByteBuffer destination = ByteBuffer.allocate(64 * 1024);
        byte[] whole = new byte[0];
        while (true) {
            try {
                destination.clear();
                int count = await(store.read(ObjectKey.of(key), whole.length, destination));
                if (count == 0) {
                    return whole;
                }
                int before = whole.length;
                whole = Arrays.copyOf(whole, before + count);
                System.arraycopy(destination.array(), 0, whole, before, count);
                if (destination.capacity() < 4 * 1024 * 1024) {
                    destination = ByteBuffer.allocate(destination.capacity() * 4);
                }
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof StoreException known
                        && known.kind() == StoreException.Kind.NOT_FOUND) {
                    return null;
                }
                throw failed;
            }
        }
    }

    private static byte[] random(int size, long seed) {
        byte[] content = new byte[size];
        new java.util.Random(seed).nextBytes(content);
        return content;
    }
}

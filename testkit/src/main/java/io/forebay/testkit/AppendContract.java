package io.forebay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import io.forebay.store.PutOutcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.Test;

/** What a back end that can append promises about growing objects, their fencing and their ends. */
abstract class AppendContract extends StoreHands {

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

        assertThat(await(store().createAppender(ObjectKey.of("j/0"), ObjectKey.of("j/9"))))
                .isEqualTo(new CreateOutcome.AlreadyExists());
        assertThat(await(store().createAppender(ObjectKey.of("j/1"), ObjectKey.of("j/9"))))
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
                    : await(store().createAppender(key, ObjectKey.of("never")))
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
        if (!successorFencesAlone()) {
            assertThat(await(store().seal(ObjectKey.of("j/0")))).isEqualTo(5);
        }

        assertThat(append(appender, "late")).isEqualTo(new AppendOutcome.Fenced());
        assertThat(append(appender, "later")).isNotInstanceOf(AppendOutcome.Durable.class);

        long end = await(store().seal(ObjectKey.of("j/0")));
        assertThat(end).isBetween(5L, 9L);
        assertThat(readAll("j/0")).hasSize((int) end).startsWith(bytes("acked"));
    }

    @Test
    void sealHasTheSameEndForEveryCaller() throws Exception {
        Appender appender = create("j/0", "j/1");
        appendDurably(appender, "0123456789");
        make("j/1", bytes("tombstone"));

        List<Long> ends = race(racer -> await(store().seal(ObjectKey.of("j/0"))));

        assertThat(ends).containsOnly(10L);
        assertThat(append(appender, "late")).isEqualTo(new AppendOutcome.Fenced());
        assertThat(await(store().seal(ObjectKey.of("j/0")))).isEqualTo(10L);
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

        assertThat(await(store().seal(ObjectKey.of("j/0")))).isEqualTo(3);
        assertThat(await(store().seal(ObjectKey.of("j/5")))).isZero();
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

        assertThat(await(store().seal(ObjectKey.of("k")))).isEqualTo(4);
        assertThat(readAll("k")).isEqualTo(bytes("0123"));
        assertThat(keys(list("", "", 10))).containsExactly("k");
    }

    @Test
    void deleteRemovesASealedObjectWhole() throws Exception {
        Appender appender = create("j/0", "j/1");
        appendDurably(appender, "0123");
        assertThat(await(store().seal(ObjectKey.of("j/0")))).isEqualTo(4);
        await(appender.close());

        await(store().delete(ObjectKey.of("j/0")));

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
                assertThat(await(store().read(ObjectKey.of(file), 0, ByteBuffer.allocate(1 + 10 * pace))))
                        .isNotNegative();
                PutOutcome tombstone = put(next, bytes("tombstone"));
                assertThat(tombstone).isIn(PutOutcome.WRITTEN, PutOutcome.ALREADY_EXISTS);
                ends.put(racer, await(store().seal(ObjectKey.of(file))));
                byte[] seen = readAll(file);
                assertThat((long) seen.length).isEqualTo(ends.get(racer));
                return -1L;
            });

            assertThat(ends.values()).hasSize(RACERS - 1);
            long end = await(store().seal(ObjectKey.of(file)));
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
}

package io.forebay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What every back end of the store promises, clause by clause of {@link Store}. A back end passes it by a subclass that
 * opens a fresh, empty store; clauses about appending are skipped where the back end cannot append.
 */
public abstract class StoreContractTest extends AppendContract {

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

        assertThat(await(store().putIfAbsent(ObjectKey.of("k"), content))).isEqualTo(PutOutcome.WRITTEN);

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
        assertThat(await(store().putIfAbsent(ObjectKey.of("k"), content))).isEqualTo(PutOutcome.WRITTEN);

        ByteBuffer read = ByteBuffer.allocateDirect(100_000);
        assertThat(await(store().read(ObjectKey.of("k"), 0, read))).isEqualTo(100_000);

        assertThat(read.flip()).isEqualTo(content);
    }

    @Test
    void piecesOfAnObjectAreReadEachIntoItsPlace() throws Exception {
        byte[] content = random(50_000, 3);
        assertThat(put("k", content)).isEqualTo(PutOutcome.WRITTEN);
        ByteBuffer late = ByteBuffer.allocate(1_000);
        ByteBuffer early = ByteBuffer.allocateDirect(300);
        ByteBuffer behind = ByteBuffer.allocate(10);

        List<Store.Piece> known = List.of(new Store.Piece(49_000, late), new Store.Piece(7, early));
        assertThat(await(store().readPieces(ObjectKey.of("k"), known))).isEqualTo(1_300);
        List<Store.Piece> tooFar = List.of(new Store.Piece(49_995, behind), new Store.Piece(0, behind.duplicate()));
        assertThat(await(store().readPieces(ObjectKey.of("k"), tooFar))).isEqualTo(5);

        assertThat(late.flip()).isEqualTo(ByteBuffer.wrap(content, 49_000, 1_000));
        assertThat(early.flip()).isEqualTo(ByteBuffer.wrap(content, 7, 300));
    }

    @Test
    void emptyObjectIsAnObject() throws Exception {
        assertThat(put("empty", new byte[0])).isEqualTo(PutOutcome.WRITTEN);

        assertThat(put("empty", bytes("x"))).isEqualTo(PutOutcome.ALREADY_EXISTS);
        assertThat(readAll("empty")).isEmpty();
        assertThat(list("", "", 10)).containsExactly(new ObjectStat(ObjectKey.of("empty"), 0));
        assertThat(await(store().seal(ObjectKey.of("empty")))).isZero();
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
                await(store().delete(ObjectKey.of(key)));
            }
            return wrong;
        });

        assertThat(failed).containsOnly(0);
        assertThat(list("", "", 10)).isEmpty();
    }

    // ---- upload

    @Test
    void uploadIsVisibleOnlyAfterCommit() throws Exception {
        ObjectUpload upload = await(store().beginUpload(ObjectKey.of("up/1")));
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
        ObjectUpload upload = await(store().beginUpload(ObjectKey.of("up/1")));
        await(upload.write(ByteBuffer.wrap(bytes("gone"))));

        upload.abort();
        upload.abort();

        assertThat(list("", "", 10)).isEmpty();
        assertThat(put("up/1", bytes("other"))).isEqualTo(PutOutcome.WRITTEN);
    }

    @Test
    void uploadLosesAgainstAnObjectThatCameFirst() throws Exception {
        ObjectUpload upload = await(store().beginUpload(ObjectKey.of("up/1")));
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
                ObjectUpload upload = await(store().beginUpload(key));
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
        ObjectUpload upload = await(store().beginUpload(ObjectKey.of("up/big")));
        for (int from = 0; from < content.length; from += 1_000_003) {
            int count = Math.min(1_000_003, content.length - from);
            await(upload.write(ByteBuffer.wrap(content, from, count)));
        }
        assertThat(await(upload.commit())).isEqualTo(PutOutcome.WRITTEN);

        assertThat(readAll("up/big")).isEqualTo(content);
    }

    @Test
    void uploadOfNothingIsAnEmptyObject() throws Exception {
        ObjectUpload upload = await(store().beginUpload(ObjectKey.of("up/none")));

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

        assertThat(await(store().read(ObjectKey.of("k"), 5, destination))).isEqualTo(5);

        assertThat(destination.position()).isEqualTo(6);
        assertThat(Arrays.copyOf(destination.array(), 6)).isEqualTo(bytes("!56789"));
    }

    @Test
    void readAndSealOfNothingIsNotFound() {
        assertThat(failure(store().read(ObjectKey.of("none"), 0, ByteBuffer.allocate(1))))
                .isEqualTo(StoreException.Kind.NOT_FOUND);
        assertThat(failure(store().read(ObjectKey.of("none/deep/er"), 0, ByteBuffer.allocate(1))))
                .isEqualTo(StoreException.Kind.NOT_FOUND);
        assertThat(failure(store().seal(ObjectKey.of("none")))).isEqualTo(StoreException.Kind.NOT_FOUND);
    }

    @Test
    void aFolderIsNotAnObject() throws Exception {
        make("folder/k", bytes("x"));

        assertThat(failure(store().read(ObjectKey.of("folder"), 0, ByteBuffer.allocate(1))))
                .isEqualTo(StoreException.Kind.NOT_FOUND);
        assertThat(failure(store().seal(ObjectKey.of("folder")))).isEqualTo(StoreException.Kind.NOT_FOUND);
        await(store().delete(ObjectKey.of("folder")));
        assertThat(readAll("folder/k")).isEqualTo(bytes("x"));
        assertThat(failure(store().read(ObjectKey.of("folder/k/deeper"), 0, ByteBuffer.allocate(1))))
                .isEqualTo(StoreException.Kind.NOT_FOUND);
    }

    @Test
    void negativePositionIsInvalid() throws Exception {
        make("k", bytes("x"));

        assertThat(failure(store().read(ObjectKey.of("k"), -1, ByteBuffer.allocate(1))))
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
        assertThat(failure(store().list("", "", 0))).isEqualTo(StoreException.Kind.INVALID);
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
                await(store().delete(ObjectKey.of(mine)));
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

        await(store().delete(ObjectKey.of("d/k")));

        assertThat(list("", "", 10)).isEmpty();
        assertThat(readIfThere("d/k")).isNull();
        assertThat(failure(store().seal(ObjectKey.of("d/k")))).isEqualTo(StoreException.Kind.NOT_FOUND);
    }

    @Test
    void deleteOfNothingSucceeds() throws Exception {
        await(store().delete(ObjectKey.of("none")));
        await(store().delete(ObjectKey.of("none/at/all")));
        make("k", bytes("x"));
        await(store().delete(ObjectKey.of("k")));
        await(store().delete(ObjectKey.of("k")));
        await(store().delete(ObjectKey.of("k/below")));
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
        await(store().delete(ObjectKey.of(deep)));
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
}

package io.forebay.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.ObjectKey;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import io.forebay.store.StoreProbe;
import io.forebay.store.s3.FakeS3.Oddity;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the store makes of answers that come late, twice, wrong or never. */
@SuppressWarnings("NullAway.Init") // set before each test
class OddAnswersTest {

    private static final ObjectKey KEY = ObjectKey.of("k");
    private static final int TRIES = 3;
    /** Longer than any answer takes. */
    private static final long LONG_MS = 30_000;

    private static final long SHORT_MS = 400;

    private FakeS3 server;
    private TestPorts test;
    private Store store;

    @BeforeEach
    void start() throws Exception {
        server = new FakeS3();
        test = new TestPorts(5);
        store = open(LONG_MS, TRIES);
    }

    private Store open(long timeoutMs, int tries) {
        return new S3StoreProvider()
                .open(
                        server.uri(),
                        Map.of(
                                "store.s3.timeout.ms",
                                Long.toString(timeoutMs),
                                "store.s3.tries",
                                Integer.toString(tries)),
                        test.ports);
    }

    /** For tests in which the server keeps silent: a busy machine may let more requests time out than those. */
    private void impatient(int tries) {
        store.close();
        store = open(SHORT_MS, tries);
    }

    @AfterEach
    void stop() {
        store.close();
        server.close();
        test.close();
    }

    // ---- puts

    @Test
    void ownPutThatWasNeverAnsweredIsFoundAgain() throws Exception {
        server.next(Oddity.reset("PUT", true));

        assertThat(put("mine")).isEqualTo(PutOutcome.WRITTEN);

        assertThat(server.seen()).containsExactly("PUT", "PUT", "HEAD");
        assertThat(content()).isEqualTo("mine");
    }

    @Test
    void ownPutAnsweredByAServerErrorIsFoundAgain() throws Exception {
        server.next(Oddity.answer("PUT", true, 500, "InternalError"));

        assertThat(put("mine")).isEqualTo(PutOutcome.WRITTEN);
    }

    @Test
    void aTimeOutIsNoFailure() throws Exception {
        impatient(20);
        server.next(Oddity.silence("PUT", true));

        assertThat(put("mine")).isEqualTo(PutOutcome.WRITTEN);
    }

    @Test
    void theSameBytesOfSomebodyElseAreNotTakenForOurs() throws Exception {
        server.lay("k", "mine".getBytes(StandardCharsets.UTF_8), "another-call");
        server.next(Oddity.reset("PUT", false));

        assertThat(put("mine")).isEqualTo(PutOutcome.ALREADY_EXISTS);
    }

    @Test
    void whereTokensAreLostTheContentDecides() throws Exception {
        server.keepsMetadata = false;
        server.lay("k", "other".getBytes(StandardCharsets.UTF_8), "");
        server.next(Oddity.reset("PUT", false));
        assertThat(put("mine")).isEqualTo(PutOutcome.ALREADY_EXISTS);
        var unused = store.delete(KEY).get(10, TimeUnit.SECONDS);

        server.next(Oddity.reset("PUT", true));

        assertThat(put("mine")).isEqualTo(PutOutcome.OUTCOME_UNKNOWN);
    }

    @Test
    void aKeyThatWasTakenBeforeCostsOneRequest() throws Exception {
        server.lay("k", "other".getBytes(StandardCharsets.UTF_8), "t");

        assertThat(put("mine")).isEqualTo(PutOutcome.ALREADY_EXISTS);

        assertThat(server.seen()).containsExactly("PUT");
    }

    @Test
    void aConflictIsTriedAgainAndIsNoDoubt() throws Exception {
        server.lay("k", "other".getBytes(StandardCharsets.UTF_8), "t");
        server.next(Oddity.answer("PUT", false, 409, "ConditionalRequestConflict"));

        assertThat(put("mine")).isEqualTo(PutOutcome.ALREADY_EXISTS);

        assertThat(server.seen()).containsExactly("PUT", "PUT");
    }

    @Test
    void conflictsWithoutEndSayThatNothingWasWritten() {
        server.next(Collections.nCopies(TRIES, Oddity.answer("PUT", false, 409, "ConditionalRequestConflict"))
                .toArray(Oddity[]::new));

        assertThat(failureOf(store.putIfAbsent(KEY, bytes("mine"))).kind()).isEqualTo(StoreException.Kind.UNAVAILABLE);

        assertThat(server.seen()).hasSize(TRIES);
    }

    @Test
    void withoutAnyAnswerTheOutcomeIsUnknown() throws Exception {
        impatient(TRIES);
        server.next(Collections.nCopies(TRIES, Oddity.silence("PUT", false)).toArray(Oddity[]::new));

        assertThat(put("mine")).isEqualTo(PutOutcome.OUTCOME_UNKNOWN);

        assertThat(server.seen()).hasSize(TRIES);
    }

    @Test
    void whoPutsAgainAfterAnUnknownOutcomeFindsTheFirstPut() throws Exception {
        List<Oddity> lost = new ArrayList<>(Collections.nCopies(TRIES, Oddity.reset("PUT", true)));
        lost.add(Oddity.answer("HEAD", false, 500, ""));
        server.next(lost.toArray(Oddity[]::new));
        assertThat(put("mine")).isEqualTo(PutOutcome.OUTCOME_UNKNOWN);

        server.next();
        assertThat(put("mine")).isEqualTo(PutOutcome.ALREADY_EXISTS);

        assertThat(content()).isEqualTo("mine");
    }

    // ---- throttling

    @Test
    void slowDownIsWaitedFor() throws Exception {
        server.next(Oddity.answer("PUT", false, 503, "SlowDown"), Oddity.answer("PUT", false, 503, "SlowDown"));

        assertThat(put("mine")).isEqualTo(PutOutcome.WRITTEN);
    }

    @Test
    void manyPutsPassAServerThatThrottles() throws Exception {
        server.next(Collections.nCopies(40, Oddity.answer("PUT", false, 503, "SlowDown"))
                .toArray(Oddity[]::new));
        List<CompletableFuture<PutOutcome>> puts = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            puts.add(store.putIfAbsent(ObjectKey.of("many/" + i), bytes("x")));
        }

        for (CompletableFuture<PutOutcome> put : puts) {
            assertThat(put.get(30, TimeUnit.SECONDS)).isIn(PutOutcome.WRITTEN, PutOutcome.OUTCOME_UNKNOWN);
        }
    }

    // ---- reads

    @Test
    void readsAreRepeated() throws Exception {
        server.lay("k", "0123456789".getBytes(StandardCharsets.UTF_8), "t");
        server.next(Oddity.reset("GET", false), Oddity.answer("GET", false, 500, "InternalError"));

        assertThat(content()).isEqualTo("0123456789");
    }

    @Test
    void aReadThatIsNeverAnsweredSaysSo() {
        server.lay("k", "0123456789".getBytes(StandardCharsets.UTF_8), "t");
        impatient(TRIES);
        server.next(Collections.nCopies(TRIES, Oddity.silence("GET", false)).toArray(Oddity[]::new));
        ByteBuffer place = ByteBuffer.allocate(10);

        StoreException failure = failureOf(store.read(KEY, 0, place));

        assertThat(failure.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE);
        assertThat(place.position()).isZero();
    }

    // ---- set-ups that are wrong

    @Test
    void wrongSetUpsAreNamedWithWhatToDo() {
        assertThat(refusal(403, "InvalidAccessKeyId")).contains("AWS_ACCESS_KEY_ID", "credentials are wrong");
        assertThat(refusal(403, "SignatureDoesNotMatch")).contains("AWS_SECRET_ACCESS_KEY");
        assertThat(refusal(403, "AccessDenied")).contains("lack a permission", "s3:PutObject");
        assertThat(refusal(403, "RequestTimeTooSkewed")).contains("clock");
        assertThat(refusal(404, "NoSuchBucket")).contains("bucket 'bucket'", "Create the bucket");
        assertThat(refusal(301, "PermanentRedirect")).contains("region=");
        assertThat(refusal(501, "NotImplemented")).contains("If-None-Match");
    }

    private String refusal(int status, String code) {
        server.next(Oddity.answer("PUT", false, status, code));
        StoreException failure = failureOf(store.putIfAbsent(KEY, bytes("x")));
        assertThat(failure.kind()).as(code).isEqualTo(StoreException.Kind.INVALID);
        return String.valueOf(failure.getMessage());
    }

    @Test
    void keysThatHaveExpiredMayBeRenewed() throws Exception {
        server.next(Oddity.answer("PUT", false, 400, "ExpiredToken"));

        assertThat(put("mine")).isEqualTo(PutOutcome.WRITTEN);
    }

    @Test
    void aFullStoreIsCalledFull() {
        server.next(Oddity.answer("PUT", false, 507, "XMinioStorageFull"));

        assertThat(failureOf(store.putIfAbsent(KEY, bytes("x"))).kind()).isEqualTo(StoreException.Kind.FULL);
    }

    @Test
    void theProbeRefusesAServerThatIgnoresTheConditionAndNamesIt() {
        server.heedsIfNoneMatch = false;

        assertThatThrownBy(() -> StoreProbe.run(store, new SplittableRandom(1), test.ports.clock()))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.INVALID))
                .hasMessageContaining("this store cannot be used")
                .hasMessageContaining("If-None-Match");
    }

    @Test
    void theProbePassesAServerThatHeedsIt() {
        assertThat(StoreProbe.run(store, new SplittableRandom(1), test.ports.clock())
                        .put())
                .isPositive();
    }

    private PutOutcome put(String text) throws Exception {
        return store.putIfAbsent(KEY, bytes(text)).get(30, TimeUnit.SECONDS);
    }

    private String content() throws Exception {
        ByteBuffer read = ByteBuffer.allocate(100);
        var unused = store.read(KEY, 0, read).get(30, TimeUnit.SECONDS);
        return StandardCharsets.UTF_8.decode(read.flip()).toString();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static StoreException failureOf(CompletableFuture<?> future) {
        @Nullable Throwable cause = null;
        try {
            Object value = future.get(30, TimeUnit.SECONDS);
            throw new AssertionError("expected a failure, got " + value);
        } catch (ExecutionException failed) {
            cause = failed.getCause();
        } catch (Exception other) {
            throw new AssertionError(other);
        }
        assertThat(cause).isInstanceOf(StoreException.class);
        return cause instanceof StoreException known
                ? known
                : new StoreException(StoreException.Kind.CORRUPT, "not reached");
    }
}

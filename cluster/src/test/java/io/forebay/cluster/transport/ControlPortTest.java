package io.forebay.cluster.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.forebay.cluster.control.Asker;
import io.forebay.cluster.control.UnansweredException;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.forebay.formats.control.Lead;
import io.forebay.formats.control.Register;
import io.forebay.formats.control.Standing;
import io.forebay.model.When;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ControlPortTest {

    private static final String HOST = "127.0.0.1";
    private static final long LONG_MS = 20_000;
    private static final ControlRequest QUESTION = ControlRequest.newBuilder()
            .setTerm(3)
            .setLead(Lead.getDefaultInstance())
            .build();
    private static final ControlReply ANSWER =
            ControlReply.newBuilder().setStanding(Standing.LEADS).setTerm(4).build();

    private final TransportLoop transport = TransportLoop.start();
    private final TransportLoop serverTransport = TransportLoop.start();
    private final GrpcPeers peers = new GrpcPeers(transport);
    private final List<ControlServer> servers = new ArrayList<>();

    @AfterEach
    void end() {
        peers.close();
        servers.forEach(ControlServer::close);
        transport.close();
        serverTransport.close();
    }

    @Test
    void bringsAQuestionThereAndTheAnswerBack() throws Exception {
        ConcurrentLinkedQueue<ControlRequest> asked = new ConcurrentLinkedQueue<>();
        String address = serve(0, request -> {
            asked.add(request);
            return CompletableFuture.completedFuture(ANSWER);
        });

        ControlReply reply = peers.ask(address, QUESTION, LONG_MS).get();

        assertThat(reply).isEqualTo(ANSWER);
        assertThat(asked).containsExactly(QUESTION);
    }

    @Test
    void asksItself() throws Exception {
        ControlServer own = ControlServer.start(transport, HOST, 0, (request, asker) -> answer());
        servers.add(own);

        ControlReply reply = peers.ask(address(own), QUESTION, LONG_MS).get();

        assertThat(reply).isEqualTo(ANSWER);
    }

    @Test
    void findsAHostByItsName() throws Exception {
        String address = serve(0, request -> answer());

        ControlReply reply =
                peers.ask(address.replace(HOST, "localhost"), QUESTION, LONG_MS).get();

        assertThat(reply).isEqualTo(ANSWER);
    }

    @Test
    void saysThatARefusedQuestionHasNotArrived() throws Exception {
        long begin = System.nanoTime();

        UnansweredException failure = failure(peers.ask(HOST + ":" + freePort(), QUESTION, LONG_MS));

        assertThat(failure.mayHaveArrived()).isFalse();
        assertThat(failure).hasMessageContaining("refused");
        assertThat(millisSince(begin)).isLessThan(LONG_MS / 4);
    }

    @Test
    void saysThatAQuestionToNowhereHasNotArrived() {
        assertThat(failure(peers.ask("nowhere", QUESTION, LONG_MS)).mayHaveArrived())
                .isFalse();
        assertThat(failure(peers.ask("no.such.host.invalid:1", QUESTION, LONG_MS))
                        .mayHaveArrived())
                .isFalse();
        assertThat(failure(peers.ask(HOST + ":0", QUESTION, LONG_MS)).mayHaveArrived())
                .isFalse();
    }

    @Test
    void tellsThatAnAskerHasGoneWhichWaitsForNothing() throws Exception {
        Set<Asker> askers = ConcurrentHashMap.newKeySet();
        CountDownLatch gone = new CountDownLatch(1);
        ControlServer server = ControlServer.start(serverTransport, HOST, 0, (request, asker) -> {
            if (askers.add(asker)) {
                asker.whenGone(gone::countDown);
            }
            return answer();
        });
        servers.add(server);
        peers.ask(address(server), QUESTION, LONG_MS).get(LONG_MS, TimeUnit.MILLISECONDS);
        peers.ask(address(server), QUESTION, LONG_MS).get(LONG_MS, TimeUnit.MILLISECONDS);
        assertThat(gone.getCount()).isEqualTo(1);

        peers.close();

        assertThat(gone.await(LONG_MS, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(askers).hasSize(1);
    }

    @Test
    void givesUpAQuestionThatIsNotAnsweredInTime() throws Exception {
        String address = serve(0, request -> new CompletableFuture<>());

        UnansweredException failure = failure(peers.ask(address, QUESTION, 200));

        assertThat(failure.mayHaveArrived()).isTrue();
        assertThat(failure).hasMessage("no answer from " + address + " within 200 ms");
    }

    @Test
    void saysThatAPeerThatNeverSpokeWasNotAsked() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            String address = HOST + ":" + mute.getLocalPort();

            UnansweredException failure = failure(peers.ask(address, QUESTION, 200));

            assertThat(failure.mayHaveArrived()).isFalse();
            assertThat(failure).hasMessage("no connection to " + address + " within 200 ms");
        }
    }

    @Test
    void saysThatAQuestionMayHaveArrivedWhenThePeerEnds() throws Exception {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        String address = serve(0, request -> {
            asked.complete(null);
            return new CompletableFuture<>();
        });

        CompletableFuture<ControlReply> answer = peers.ask(address, QUESTION, LONG_MS);
        asked.get();
        servers.get(0).close();

        assertThat(failure(answer).mayHaveArrived()).isTrue();
    }

    @Test
    void findsAPeerThatIsBackAtOnce() throws Exception {
        String address = serve(0, request -> answer());
        int port = servers.get(0).address().getPort();
        assertThat(peers.ask(address, QUESTION, LONG_MS).get()).isEqualTo(ANSWER);
        servers.get(0).close();
        for (int i = 0; i < 20; i++) { // as many as would make a doubling back-off minutes long
            assertThat(failure(peers.ask(address, QUESTION, LONG_MS))).isNotNull();
        }

        serve(port, request -> answer());
        long begin = System.nanoTime();
        ControlReply reply = peers.ask(address, QUESTION, LONG_MS).get();

        assertThat(reply).isEqualTo(ANSWER);
        assertThat(millisSince(begin)).isLessThan(1_000);
    }

    @Test
    void goesOnAfterASilentPeerSpeaksAgain() throws Exception {
        ConcurrentLinkedQueue<CompletableFuture<ControlReply>> open = new ConcurrentLinkedQueue<>();
        String address = serve(0, request -> {
            CompletableFuture<ControlReply> answer = new CompletableFuture<>();
            open.add(answer);
            return open.size() == 1 ? answer : answer();
        });
        assertThat(failure(peers.ask(address, QUESTION, 200)).mayHaveArrived()).isTrue();

        ControlReply reply = peers.ask(address, QUESTION, LONG_MS).get();
        open.element().complete(ANSWER); // too late, for nobody

        assertThat(reply).isEqualTo(ANSWER);
        assertThat(peers.ask(address, QUESTION, LONG_MS).get()).isEqualTo(ANSWER);
    }

    @Test
    void carriesAnImageOfManyMegabytes() throws Exception {
        ControlReply large = ControlReply.newBuilder()
                .setMessageBytes(ByteString.copyFrom(new byte[100 << 20]))
                .build();
        String address = serve(0, request -> CompletableFuture.completedFuture(large));

        ControlReply reply = peers.ask(address, QUESTION, LONG_MS).get();

        assertThat(reply.getSerializedSize()).isEqualTo(large.getSerializedSize());
    }

    @Test
    void sendsNoQuestionThatIsTooLong() throws Exception {
        String address = serve(0, request -> answer());
        ControlRequest large = ControlRequest.newBuilder()
                .setRegister(Register.newBuilder()
                        .setProcess(ByteString.copyFrom(new byte[ControlMethod.MESSAGE_MAX_BYTES])))
                .build();

        UnansweredException failure = failure(peers.ask(address, large, LONG_MS));

        assertThat(failure.mayHaveArrived()).isFalse();
        assertThat(failure).hasMessageContaining("longer than");
    }

    @Test
    void saysSoWhenAnAnswerIsTooLongAndGoesOn() throws Exception {
        ControlReply large = ControlReply.newBuilder()
                .setMessageBytes(ByteString.copyFrom(new byte[ControlMethod.MESSAGE_MAX_BYTES]))
                .build();
        String address =
                serve(0, request -> request.getTerm() == 3 ? CompletableFuture.completedFuture(large) : answer());

        UnansweredException failure = failure(peers.ask(address, QUESTION, LONG_MS));

        assertThat(failure.mayHaveArrived()).isTrue();
        assertThat(failure).hasMessageContaining("longer than what may be sent");
        assertThat(peers.ask(address, QUESTION.toBuilder().setTerm(4).build(), LONG_MS)
                        .get())
                .isEqualTo(ANSWER);
    }

    @Test
    void answersOthersAfterSomebodyTalkedNonsense() throws Exception {
        String address = serve(0, request -> answer());
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), servers.get(0).address().getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write("GET / HTTP/1.1\r\nHost: there\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.write(new byte[10_000]);
            out.flush();
            socket.setSoTimeout((int) LONG_MS);
            while (socket.getInputStream().read() >= 0) {
                // until the other side hangs up
            }
        } catch (IOException reset) {
            // hung up on unread bytes
        }

        assertThat(peers.ask(address, QUESTION, LONG_MS).get()).isEqualTo(ANSWER);
    }

    @Test
    void saysThatAPeerThatTalksNonsenseWasNotAsked() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            CompletableFuture<ControlReply> answer = peers.ask(HOST + ":" + other.getLocalPort(), QUESTION, LONG_MS);
            try (Socket accepted = other.accept()) {
                accepted.getOutputStream().write("SSH-2.0-other\r\n".repeat(10).getBytes(StandardCharsets.US_ASCII));
                accepted.getOutputStream().flush();

                assertThat(failure(answer).mayHaveArrived()).isFalse();
            }
        }
    }

    @Test
    void answersManyThatWaitForNews() throws Exception {
        int polls = 500;
        CompletableFuture<ControlReply> news = new CompletableFuture<>();
        ConcurrentLinkedQueue<ControlRequest> asked = new ConcurrentLinkedQueue<>();
        CompletableFuture<Void> allAsked = new CompletableFuture<>();
        String address = serve(0, request -> {
            asked.add(request);
            if (asked.size() == polls) {
                allAsked.complete(null);
            }
            return news;
        });

        List<TransportLoop> loops = List.of(TransportLoop.start(), TransportLoop.start(), TransportLoop.start());
        List<GrpcPeers> askers = loops.stream().map(GrpcPeers::new).toList();
        List<CompletableFuture<ControlReply>> answers = new ArrayList<>();
        for (int i = 0; i < polls; i++) {
            answers.add(askers.get(i % askers.size()).ask(address, QUESTION, LONG_MS));
        }
        allAsked.get(LONG_MS, TimeUnit.MILLISECONDS);
        assertThat(answers).noneMatch(CompletableFuture::isDone);
        news.complete(ANSWER);

        for (CompletableFuture<ControlReply> answer : answers) {
            assertThat(answer.get(LONG_MS, TimeUnit.MILLISECONDS)).isEqualTo(ANSWER);
        }
        askers.forEach(GrpcPeers::close);
        loops.forEach(TransportLoop::close);
    }

    @Test
    void turnsAwayWhatIsTooMuchAndGoesOn() throws Exception {
        CompletableFuture<ControlReply> news = new CompletableFuture<>();
        String address = serve(0, request -> request.getTerm() == 3 ? news : answer());

        List<TransportLoop> loops = new ArrayList<>();
        List<GrpcPeers> askers = new ArrayList<>();
        List<CompletableFuture<ControlReply>> answers = new ArrayList<>();
        for (int asker = 0; asker < 5; asker++) { // more than one connection may have waiting
            loops.add(TransportLoop.start());
            askers.add(new GrpcPeers(loops.get(asker)));
            for (int i = 0; i < 250; i++) {
                answers.add(askers.get(asker).ask(address, QUESTION, LONG_MS));
            }
        }
        CountDownLatch turnedAway = new CountDownLatch(answers.size() - Answerer.MAX_WAITING);
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        for (CompletableFuture<ControlReply> answer : answers) {
            When.done(answer, (reply, failure) -> {
                if (failure != null) {
                    failures.add(failure);
                    turnedAway.countDown();
                }
            });
        }

        assertThat(turnedAway.await(LONG_MS, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(failures).allSatisfy(failure -> assertThat(failure).hasMessageContaining("questions wait here"));
        news.complete(ANSWER);
        long answered = 0;
        for (CompletableFuture<ControlReply> answer : answers) {
            answered +=
                    answer.handle((reply, failure) -> failure == null ? 1 : 0).get();
        }
        assertThat(answered).isEqualTo(Answerer.MAX_WAITING);
        assertThat(peers.ask(address, QUESTION.toBuilder().setTerm(4).build(), LONG_MS)
                        .get())
                .isEqualTo(ANSWER);
        askers.forEach(GrpcPeers::close);
        loops.forEach(TransportLoop::close);
    }

    @Test
    void saysThatTheAnswerIsMissingWhenTheHandlerFails() throws Exception {
        String address = serve(0, request -> {
            throw new IllegalStateException("a bug");
        });

        UnansweredException failure = failure(peers.ask(address, QUESTION, LONG_MS));

        assertThat(failure.mayHaveArrived()).isTrue();
        assertThat(failure).hasMessageContaining("its log says why");
    }

    @Test
    void forgetsAPeerThatNobodyAsks() throws Exception {
        try (GrpcPeers forgetful = new GrpcPeers(transport, 50)) {
            String address = serve(0, request -> answer());
            assertThat(forgetful.ask(address, QUESTION, LONG_MS).get()).isEqualTo(ANSWER);
            assertThat(forgetful.connected().get()).isEqualTo(1);

            long begin = System.nanoTime();
            while (forgetful.connected().get() > 0 && millisSince(begin) < LONG_MS) {
                Thread.onSpinWait();
            }

            assertThat(forgetful.connected().get()).isZero();
            assertThat(forgetful.ask(address, QUESTION, LONG_MS).get()).isEqualTo(ANSWER);
        }
    }

    @Test
    void failsWhatWaitsWhenItCloses() throws Exception {
        String address = serve(0, request -> new CompletableFuture<>());
        CompletableFuture<ControlReply> waiting = peers.ask(address, QUESTION, LONG_MS);

        peers.close();

        assertThat(failure(waiting)).isNotNull();
        assertThat(failure(peers.ask(address, QUESTION, LONG_MS))).hasMessage("this node is stopping");
    }

    @Test
    void saysWhyItCannotListen() throws Exception {
        String address = serve(0, request -> answer());
        int taken = PeerAddress.parse(address).orElseThrow().port();

        assertThatThrownBy(() -> serve(taken, request -> answer()))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("in use");
    }

    private String serve(int port, Function<ControlRequest, CompletableFuture<ControlReply>> handler)
            throws IOException {
        ControlServer server =
                ControlServer.start(serverTransport, HOST, port, (request, asker) -> handler.apply(request));
        servers.add(server);
        return address(server);
    }

    private static String address(ControlServer server) {
        return HOST + ":" + server.address().getPort();
    }

    private static CompletableFuture<ControlReply> answer() {
        return CompletableFuture.completedFuture(ANSWER);
    }

    private static UnansweredException failure(CompletableFuture<ControlReply> answer) {
        try {
            throw new AssertionError("answered: " + answer.get(LONG_MS, TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(UnansweredException.class);
            return (UnansweredException) Objects.requireNonNull(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static long millisSince(long beginNanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
    }
}

package io.forebay.bench.load;

import io.forebay.bench.target.Children;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** A running client process. One request at a time; not thread safe. */
public final class ClientProcess implements AutoCloseable {
    private final Children children;
    private final Process process;
    private final BufferedWriter requests;
    private final BlockingQueue<Optional<String>> answers = new ArrayBlockingQueue<>(4);

    private ClientProcess(Children children, Process process) {
        this.children = children;
        this.process = process;
        requests = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    }

    /** Starts a client with this JVM's own class path; what it logs goes to a file. */
    public static ClientProcess start(Children children, Path log) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("java.class.path");
        ProcessBuilder command =
                new ProcessBuilder(List.of(java, "-Xms1g", "-Xmx2g", "-cp", classPath, ClientMain.class.getName()));
        command.redirectError(log.toFile());
        ClientProcess client = new ClientProcess(children, children.start(command));
        Thread reader = new Thread(client::readAnswers, "client-answers");
        reader.setDaemon(true);
        reader.start();
        return client;
    }

    /** Its process. */
    public long pid() {
        return process.pid();
    }

    /** Runs one load; a load that fails or takes longer than the limit is an exception, after which the client is dead. */
    public Line call(Line request, Duration limit) throws InterruptedException {
        try {
            requests.write(request.format());
            requests.newLine();
            requests.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the client is gone", e);
        }
        Optional<String> text = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
        if (text == null) {
            children.kill(process.toHandle());
            throw new IllegalStateException(request.verb() + " took more than " + limit.toSeconds() + " s");
        }
        Line answer = Line.parse(text.orElseThrow(() -> new IllegalStateException("the client died")));
        if (!answer.verb().equals("ok")) {
            throw new IllegalStateException(request.verb() + ": " + answer.text("reason"));
        }
        return answer;
    }

    @Override
    public void close() {
        children.kill(process.toHandle());
    }

    private void readAnswers() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            String text = reader.readLine();
            while (text != null) {
                answers.put(Optional.of(text));
                text = reader.readLine();
            }
            answers.put(Optional.empty());
        } catch (IOException | InterruptedException e) {
            // The process was ended on purpose, nobody waits for its answer.
            return;
        }
    }
}

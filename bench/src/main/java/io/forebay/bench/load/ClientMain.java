package io.forebay.bench.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;

/** The client process: reads requests from standard input, runs them one after another, answers on standard output. */
public final class ClientMain {
    private ClientMain() {}

    public static void main(String[] args) throws IOException {
        PrintStream answers = System.out;
        // Whatever a library prints must not look like an answer.
        System.setOut(System.err);
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String text = requests.readLine();
        while (text != null) {
            answers.println(answer(text).format());
            answers.flush();
            text = requests.readLine();
        }
        System.exit(0);
    }

    private static Line answer(String text) {
        try {
            return run(Line.parse(text));
        } catch (InterruptedException | ExecutionException | RuntimeException e) {
            e.printStackTrace();
            return Line.of("failed").with("reason", String.valueOf(e));
        }
    }

    private static Line run(Line request) throws InterruptedException, ExecutionException {
        return switch (request.verb()) {
            case "create" -> TopicLoad.create(request);
            case "delete" -> TopicLoad.delete(request);
            case "mark" -> TopicLoad.mark(request);
            case "ready" -> ReadyProbe.run(request);
            case "produce" -> ProduceLoad.run(request);
            case "consume" -> ConsumeLoad.run(request);
            case "hflush" -> HflushLoad.run(request);
            case "window" -> TailTimes.window(request);
            case "paced" -> PacedLoad.run(request);
            default -> throw new IllegalArgumentException("unknown load " + request.verb());
        };
    }
}

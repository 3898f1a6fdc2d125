package io.forebay.bench.target;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Forebay as a user starts it, with one durability setting of its local store.
 *
 * @param children where its processes are registered
 * @param sync value of {@code store.local.sync}, and the short name of this target
 * @param launcher path of {@code bin/forebay}
 * @param port port for clients
 * @param heap maximum heap, as in {@code 1g}
 */
public record ForebayTarget(Children children, String sync, Path launcher, int port, String heap) implements Target {
    @Override
    public String id() {
        return sync;
    }

    @Override
    public String label() {
        return "Forebay " + sync;
    }

    @Override
    public String bootstrap() {
        return "127.0.0.1:" + port;
    }

    @Override
    public String flags() {
        return "bin/forebay start --set store.local.sync=" + sync + " with FOREBAY_HEAP=" + heap;
    }

    @Override
    public Running start(Path data, Path log) throws IOException {
        Files.createDirectories(data);
        ProcessBuilder builder = new ProcessBuilder(List.of(
                launcher.toString(),
                "start",
                "--store",
                data.toString(),
                "--listen",
                bootstrap(),
                "--set",
                "store.local.sync=" + sync));
        builder.environment().put("FOREBAY_HEAP", heap);
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        return new Running(children, children.start(builder));
    }
}

package io.forebay.conformance.tools;

import io.forebay.conformance.harness.CommandRun;
import io.forebay.conformance.harness.Settings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.apache.kafka.common.utils.internals.Exit;

/**
 * One run of a command line tool of Apache Kafka, in this process: what it printed and how it ended. Swaps the process's
 * standard streams and Kafka's exit procedures meanwhile, runs the tool's shutdown hooks at its end, so only one runs at a time.
 *
 * @param exitCode what it would have ended with
 * @param output what it wrote to stdout
 * @param errors what it wrote to stderr
 */
record ToolRun(int exitCode, String output, String errors) {

    /** Runs {@code tool}, a class below {@code org.apache.kafka.tools}. */
    static ToolRun of(String tool, String... arguments) {
        return withInput("", tool, arguments);
    }

    /** Runs {@code tool} with {@code input} on its stdin. */
    static synchronized ToolRun withInput(String input, String tool, String... arguments) {
        InputStream in = System.in;
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        ExitCode exit = new ExitCode();
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
        Exit.setExitProcedure(exit::end);
        Exit.setHaltProcedure(exit::end);
        List<Runnable> hooks = new ArrayList<>();
        Exit.setShutdownHookAdder((name, hook) -> hooks.add(hook));
        try {
            Class.forName("org.apache.kafka.tools." + tool)
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) arguments);
            hooks.forEach(Runnable::run);
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof ExitCalled)) {
                throw new AssertionError(tool + " failed", e.getCause());
            }
            hooks.forEach(Runnable::run);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no such tool: " + tool, e);
        } finally {
            Exit.resetExitProcedure();
            Exit.resetHaltProcedure();
            Exit.resetShutdownHookAdder();
            System.setIn(in);
            System.setOut(out);
            System.setErr(err);
        }
        return new ToolRun(
                exit.first.orElse(0), output.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    }

    /**
     * Runs {@code tool} in a process of its own: for those that go on in hooks of the process's end, which Kafka's exit
     * procedures do not know.
     */
    static ToolRun forked(String tool, String... arguments) {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of(Settings.java(), "-Xmx256m", "-XX:+UseSerialGC"));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"));
        command.addAll(List.of("-cp", classPath, "org.apache.kafka.tools." + tool));
        command.addAll(List.of(arguments));
        CommandRun run = CommandRun.of(command);
        return new ToolRun(run.exitCode(), run.stdout(), run.stderr());
    }

    /** Returns this run if it ended with exit code 0, and fails with its output otherwise. */
    ToolRun succeeded() {
        if (exitCode != 0) {
            throw new AssertionError("exit code " + exitCode + "\n" + this);
        }
        return this;
    }

    /** The first exit code a tool asked for; a tool may catch our exception and ask again. */
    private static final class ExitCode {
        private OptionalInt first = OptionalInt.empty();

        private void end(int code, String message) {
            if (first.isEmpty()) {
                first = OptionalInt.of(code);
            }
            throw new ExitCalled();
        }
    }

    private static final class ExitCalled extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ExitCalled() {
            super(null, null, false, false);
        }
    }
}

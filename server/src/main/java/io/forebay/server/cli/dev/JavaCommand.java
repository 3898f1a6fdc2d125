package io.forebay.server.cli.dev;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** How this process was started, so that others can be started like it. */
final class JavaCommand {

    private static final String MAIN = "io.forebay.server.Main";
    /** A node with next to no data needs about 60 MiB. */
    private static final List<String> SMALL_HEAP = List.of("-Xms32m", "-Xmx256m");

    private JavaCommand() {}

    /** The command up to the arguments of {@code main}: this Java, its options and class path, and a small heap unless {@code FOREBAY_HEAP} is set. */
    static List<String> ofThisProcess() {
        return of(
                ProcessHandle.current().info().command().orElse("java"),
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                System.getProperty("java.class.path", ""),
                System.getenv("FOREBAY_HEAP") != null);
    }

    static List<String> of(String java, List<String> options, String classPath, boolean keepHeap) {
        List<String> command = new ArrayList<>();
        command.add(java);
        for (String option : options) {
            boolean heap = option.startsWith("-Xmx") || option.startsWith("-Xms");
            boolean onlyHere = option.startsWith("-agentlib:jdwp") || option.startsWith("-XX:ArchiveClassesAtExit");
            if ((keepHeap || !heap) && !onlyHere) {
                command.add(option);
            }
        }
        if (!keepHeap) {
            command.addAll(SMALL_HEAP);
        }
        command.addAll(List.of("-cp", classPath, MAIN));
        return command;
    }
}

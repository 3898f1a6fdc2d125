package io.forebay.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Holds the commands about consumer groups. */
@Command(name = "group", description = "List, describe, reset and delete consumer groups.")
final class GroupCommand implements Runnable {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}

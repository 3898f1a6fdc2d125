package io.forebay.server.cli.terminal;

/** Exit codes of every command. */
public final class ExitCode {
    public static final int DONE = 0;
    public static final int FAILED = 1;
    public static final int USAGE = 2;

    private ExitCode() {}
}

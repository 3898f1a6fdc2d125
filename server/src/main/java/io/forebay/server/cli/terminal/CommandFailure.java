package io.forebay.server.cli.terminal;

/** Ends a command with an exit code. The message is one sentence that tells the user what to do. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    private CommandFailure(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** It was tried and did not work. */
    public static CommandFailure failed(String message) {
        return new CommandFailure(ExitCode.FAILED, message, new Throwable(message));
    }

    public static CommandFailure failed(String message, Throwable cause) {
        return new CommandFailure(ExitCode.FAILED, message, cause);
    }

    /** It was asked for in a way that cannot work. */
    public static CommandFailure usage(String message) {
        return new CommandFailure(ExitCode.USAGE, message, new Throwable(message));
    }

    public int exitCode() {
        return exitCode;
    }
}

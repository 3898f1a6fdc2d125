package io.forebay.conformance.harness;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Programs of other makers that a test needs on the PATH. On a developer's machine a missing one skips the test and says
 * what to install; where {@code CI} is set it fails, so that nothing goes untested unseen.
 */
public final class Installed {

    private Installed() {}

    /** Aborts or fails the calling test unless {@code program} is on the PATH. */
    public static void require(String program, String debianPackage) {
        if (!present(program)) {
            missing(program + " is not on the PATH: install it, on Debian with 'apt-get install " + debianPackage
                    + "'");
        }
    }

    /** Whether {@code program} is on the PATH. */
    public static boolean present(String program) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    /** Reports something that this machine lacks. */
    public static void missing(String what) {
        if (System.getenv().containsKey("CI")) {
            fail(what);
        }
        abort(what);
    }
}

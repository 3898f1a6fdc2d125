package io.forebay.conformance.harness;

import java.nio.file.Path;

/** What Maven tells the tests: where they may write, what they run, and whom they talk to. */
public final class Settings {

    private Settings() {}

    /** The folder for everything the tests write; it survives a run so that logs can be read. */
    public static Path target() {
        return Path.of(System.getProperty("conformance.target", "target")).toAbsolutePath();
    }

    /** The room's {@code src/test}. */
    public static Path sources() {
        return Path.of(System.getProperty("conformance.sources", "src/test")).toAbsolutePath();
    }

    /** The file that holds the server's runtime class path. */
    public static Path serverClassPath() {
        return Path.of(System.getProperty(
                "conformance.server.classpath",
                target().resolve("server.classpath").toString()));
    }

    /** The file that holds a class path with HDFS's servers. */
    public static Path hdfsClassPath() {
        return Path.of(System.getProperty("conformance.hdfs.classpath", "../store-hdfs/target/test.classpath"))
                .toAbsolutePath();
    }

    /** The file that holds a class path with S3Proxy. */
    public static Path s3ClassPath() {
        return Path.of(System.getProperty("conformance.s3.classpath", "../store-s3/target/test.classpath"))
                .toAbsolutePath();
    }

    /**
     * A command to run instead of this build's server, or empty. It gets the same arguments and must behave like it: so
     * the tests that kill and restart can be tried on another broker, behind a script.
     */
    public static String serverCommand() {
        return System.getProperty("conformance.server.command", "");
    }

    /** HOST:PORT of a foreign broker to test, or empty to start Forebay. */
    public static String foreignBootstrap() {
        return System.getProperty("conformance.bootstrap", "");
    }

    /** The java command that runs these tests. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}

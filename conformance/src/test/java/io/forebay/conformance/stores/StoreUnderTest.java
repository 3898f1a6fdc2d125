package io.forebay.conformance.stores;

import io.forebay.conformance.harness.BrokerExtension;
import java.util.List;
import java.util.Map;

/** A shared store with its servers, empty at the start. Used by one thread at a time. */
public interface StoreUnderTest extends AutoCloseable {

    /** A stopped store of this kind: {@code folder}, {@code hdfs} or {@code s3}; {@code name} names its folder and its logs. */
    static StoreUnderTest of(String kind, String name) {
        return switch (kind) {
            case "folder" -> new SharedFolder(BrokerExtension.freshFolder(name));
            case "hdfs" -> new HdfsProcesses(name);
            case "s3" -> new S3Process(name);
            default -> throw new IllegalArgumentException("no store is called '" + kind + "': folder, hdfs or s3");
        };
    }

    /** The kind. */
    String kind();

    /** Where it is, as {@code --store} takes it. */
    String uri();

    /** Settings of Forebay that it needs. */
    Map<String, String> settings();

    /** Environment variables that Forebay needs to use it. */
    Map<String, String> environment();

    /** Starts its servers; returns when it can be used. */
    void start();

    /** What can be done to it. */
    List<StoreFault> faults();

    /** The ends of its servers' logs, for a failure's message. */
    String logTail();

    /** Ends its servers, whatever state they are in. */
    @Override
    void close();
}

package io.forebay.server.node;

import io.forebay.broker.groups.GroupCoordination;
import io.forebay.formats.manifest.PartitionMemory;
import io.forebay.formats.metadata.MetadataBatch;
import io.forebay.kafka.KafkaServer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Brings in what every node needs, on a thread of its own, while the command line and the configuration are still read: half of a start is
 * the loading of classes. Changes nothing but the time that a start takes.
 */
public final class Preload {

    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private Preload() {}

    /** Begins, if that has not been done; returns at once. Makes loggers, so the log has to be set up. */
    public static void begin() {
        if (!BEGUN.compareAndSet(false, true)) {
            return;
        }
        Thread thread = new Thread(
                () -> {
                    KafkaServer.load();
                    var unusedMetadata = MetadataBatch.getDescriptor();
                    var unusedManifest = PartitionMemory.getDescriptor();
                    GroupCoordination.load();
                },
                "preload");
        thread.setDaemon(true);
        thread.start();
    }
}

package io.forebay.conformance.clients;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** A Kafka client of some maker and year, working through lists of jobs. */
interface Client {

    /**
     * Records to produce.
     *
     * @param topic an existing topic
     * @param compression {@code none}, {@code gzip}, {@code snappy}, {@code lz4} or {@code zstd}
     * @param records a record file; all of it is acknowledged when the job is done
     */
    record Load(String topic, String compression, Path records) {}

    /**
     * A topic to read from its beginning to the end it has now.
     *
     * @param topic an existing topic
     * @param group the group to read as
     * @param records the record file to create
     */
    record Reading(String topic, String group, Path records) {}

    /** Maker, version and manner, as part of file and topic names. */
    String name();

    /** The compressions that it can produce and consume. */
    Set<String> compressions();

    /** Produces every load, in order. Fails the test if any record is not acknowledged. */
    void produce(String bootstrap, List<Load> loads);

    /** Consumes every topic, in order. */
    void consume(String bootstrap, List<Reading> readings);
}

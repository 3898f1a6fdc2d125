package io.forebay.bench.cluster;

import java.util.LinkedHashMap;
import java.util.Map;

/** Some figures that are taken together. A row starts what it needs for itself and ends it. */
interface ClusterRow {

    /** Takes the figures of one round, from 0 on. */
    void run(Rig rig, int round);

    /** Whether there is nothing to gain from more rounds. */
    default boolean once() {
        return false;
    }

    /** All rows by their names on the command line, in the order in which they run. */
    static Map<String, ClusterRow> all() {
        Map<String, ClusterRow> rows = new LinkedHashMap<>();
        rows.put("life", new LifeRow());
        rows.put("roles", new RolesRow());
        rows.put("hdfs-latency", new HdfsLatencyRow());
        rows.put("hdfs-produce", new HdfsProduceRow());
        rows.put("hdfs-lease", new HdfsLeaseRow());
        rows.put("s3-requests", new S3RequestsRow());
        rows.put("catch-up", new CatchUpRow());
        rows.put("controller", new ControllerRow());
        return rows;
    }
}

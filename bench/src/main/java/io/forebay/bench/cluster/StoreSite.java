package io.forebay.bench.cluster;

import io.forebay.bench.peer.OpenedStore;
import io.forebay.store.ObjectStat;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A shared store with its servers, empty at the start. Used by one thread. */
interface StoreSite extends AutoCloseable {

    /** {@code folder}, {@code hdfs} or {@code s3}. */
    String kind();

    /** Where it is, as {@code --store} takes it; different names are different stores on the same servers. */
    String uri(String name);

    /** Settings of Forebay that it needs. */
    Map<String, String> settings();

    /** Environment variables that Forebay needs. */
    Map<String, String> environment();

    /** Process ids of its servers. */
    List<Long> pids();

    /** Starts its servers; returns when it can be used. */
    void start();

    /** Ends its servers; what they stored goes with the folder of the run. */
    @Override
    void close();

    /** Bytes of all objects of a store, by kind: {@code manifest}, {@code segment}, {@code journal}, {@code root}, {@code other}. */
    default Map<String, Long> bytesByKind(String name) {
        Map<String, Long> kinds = new TreeMap<>();
        try (OpenedStore opened = new OpenedStore(URI.create(uri(name)), settings(), environment())) {
            String after = "";
            while (true) {
                List<ObjectStat> some =
                        new ArrayList<>(opened.store().list("", after, 1_000).join());
                if (some.isEmpty()) {
                    return kinds;
                }
                for (ObjectStat stat : some) {
                    kinds.merge(kindOf(stat.key().value()), stat.sizeBytes(), Long::sum);
                }
                after = some.get(some.size() - 1).key().value();
            }
        }
    }

    private static String kindOf(String key) {
        if (key.startsWith("root/")) {
            return "root";
        }
        if (key.startsWith("journal/")) {
            return "journal";
        }
        if (key.contains("/manifest/")) {
            return "manifest";
        }
        return key.startsWith("shard/") && !key.endsWith(".snapshot") ? "segment" : "other";
    }
}

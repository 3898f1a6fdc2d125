package io.forebay.bench.load;

import java.io.IOException;
import java.net.URI;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * What HDFS itself asks for one acknowledgement: Hadoop's own client appends to one file at a fixed rate, each write followed by {@code hflush}. Counted, like the
 * latencies of records, from the moment a write was due.
 */
final class HflushLoad {
    private static final double LEAD_SECONDS = 2;
    private static final int BUFFER_BYTES = 4 << 10;
    private static final long HIGHEST_NANOS = 120_000_000_000L;

    private HflushLoad() {}

    static Line run(Line request) {
        double rate = request.decimal("rate");
        long lead = (long) (rate * LEAD_SECONDS);
        long writes = lead + (long) (rate * request.decimal("seconds"));
        byte[][] values = Clients.values(request.count("value"));
        Histogram nanos = new Histogram(HIGHEST_NANOS, 3);
        Configuration settings = new Configuration();
        settings.addResource(new Path(request.text("conf"), "hdfs-site.xml"));
        Path file = new Path("/raw-hflush");
        try (FileSystem hdfs = FileSystem.newInstance(URI.create(request.text("uri")), settings)) {
            try (FSDataOutputStream out = hdfs.create(file, true, BUFFER_BYTES, (short) 3, 256L << 20)) {
                Pace pace = new Pace(System.nanoTime(), rate);
                for (long i = 0; i < writes; i++) {
                    long due = pace.due(i);
                    pace.await(due);
                    out.write(values[(int) (i % values.length)]);
                    out.hflush();
                    if (i >= lead) {
                        nanos.recordValue(Math.min(HIGHEST_NANOS, System.nanoTime() - due));
                    }
                }
            }
            boolean deleted = hdfs.delete(file, false);
            return Line.of("ok")
                    .with("p50", nanos.getValueAtPercentile(50) / 1e6)
                    .with("p99", nanos.getValueAtPercentile(99) / 1e6)
                    .with("samples", nanos.getTotalCount())
                    .with("deleted", deleted);
        } catch (IOException e) {
            throw new IllegalStateException("raw hflush failed", e);
        }
    }
}

package io.forebay.store.hdfs;

import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/**
 * A process that appends numbers to one object and prints each acknowledged end, until it may not go on. For a test that stops and
 * continues it.
 */
final class PausedWriter {

    private PausedWriter() {}

    public static void main(String[] args) throws Exception {
        try (MiniHdfs.Opened opened =
                new MiniHdfs.Opened(URI.create(args[0]), Map.of("store.hdfs.flush.timeout.ms", "60000"))) {
            CreateOutcome created = opened.store()
                    .createAppender(ObjectKey.of(args[1]), ObjectKey.of(args[2]))
                    .get();
            Appender appender = ((CreateOutcome.Created) created).appender();
            for (long n = 0; ; n++) {
                ByteBuffer eight = ByteBuffer.allocate(8).putLong(n).flip();
                AppendOutcome outcome = appender.append(List.of(eight)).get();
                if (outcome instanceof AppendOutcome.Durable durable) {
                    System.out.println("acknowledged " + durable.endPosition());
                } else {
                    System.out.println(outcome);
                    return;
                }
            }
        }
    }
}

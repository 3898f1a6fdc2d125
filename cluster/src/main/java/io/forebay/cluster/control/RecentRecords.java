package io.forebay.cluster.control;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.formats.control.Attended;
import io.forebay.formats.metadata.MetadataBatch;
import io.forebay.formats.metadata.MetadataSnapshot;
import java.util.ArrayDeque;
import java.util.Deque;

/** The last flushed records, for members whose images are a little behind; others get a whole image. Owned by the control loop. */
final class RecentRecords {

    private static final int MAX_RECORDS = 20_000;

    /** @param after version before the batch */
    private record Batch(long after, MetadataBatch records) {}

    private final Deque<Batch> batches = new ArrayDeque<>();
    private MetadataImage image;
    private int held;

    RecentRecords(MetadataImage image) {
        this.image = image;
    }

    void add(MetadataImage newer, MetadataBatch batch) {
        batches.add(new Batch(newer.version() - batch.getRecordsCount(), batch));
        held += batch.getRecordsCount();
        image = newer;
        while (held > MAX_RECORDS && batches.size() > 1) {
            held -= batches.remove().records().getRecordsCount();
        }
    }

    boolean hasNews(long version) {
        return version != image.version();
    }

    /** Adds what is new to an answer. */
    void addNews(Attended.Builder answer, long version) {
        if (!hasNews(version)) {
            return;
        }
        boolean known = !batches.isEmpty() && batches.getFirst().after() <= version && version <= image.version();
        if (!known) {
            answer.setImage(
                    MetadataSnapshot.newBuilder().setVersion(image.version()).addAllRecords(image.toRecords()));
            return;
        }
        MetadataBatch.Builder news = MetadataBatch.newBuilder();
        for (Batch batch : batches) {
            if (batch.after() >= version) {
                news.addAllRecords(batch.records().getRecordsList());
            }
        }
        answer.setRecords(news);
    }
}

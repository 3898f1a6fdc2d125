package io.forebay.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.chaos.Findings.Kind;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** The checks of a chaos run find what they look for. */
class ComparisonTest {

    private final Findings findings = new Findings();
    private final SentRecords sent = new SentRecords();
    private final Places places = new Places(2, findings);

    private void acknowledged(int partition, long offset) {
        sent.acknowledged(sent.next(), partition, offset);
    }

    private static ConsumerRecord<byte[], byte[]> record(int partition, long offset, int sequence) {
        NumberedValue value = new NumberedValue(0, sequence);
        return new ConsumerRecord<>("topic", partition, offset, value.key(), value.bytes());
    }

    @SafeVarargs
    private void readBack(ConsumerRecord<byte[], byte[]>... records) {
        Comparison comparison = new Comparison(2, List.of(sent), places, findings);
        for (ConsumerRecord<byte[], byte[]> record : records) {
            comparison.take(record);
        }
        comparison.finish();
    }

    @Test
    void findsNothingWhereAllIsAsAcknowledged() {
        acknowledged(0, 0);
        acknowledged(1, 0);
        acknowledged(0, 1);

        readBack(record(0, 0, 0), record(0, 1, 2), record(1, 0, 1));

        assertThat(findings.isEmpty()).as(findings.examples()).isTrue();
    }

    @Test
    void whatWasNeverAcknowledgedMayBeThereOnce() {
        int unused = sent.next();

        readBack(record(0, 0, 0));

        assertThat(findings.isEmpty()).as(findings.examples()).isTrue();
    }

    @Test
    void findsALostRecord() {
        acknowledged(0, 0);
        acknowledged(0, 1);

        readBack(record(0, 0, 0));

        assertThat(findings.count(Kind.LOST)).isEqualTo(1);
    }

    @Test
    void findsADuplicate() {
        acknowledged(0, 0);

        readBack(record(0, 0, 0), record(0, 1, 0));

        assertThat(findings.count(Kind.DUPLICATED)).isEqualTo(1);
    }

    @Test
    void findsRecordsInAnotherOrder() {
        acknowledged(0, SentRecords.SOMEWHERE);
        acknowledged(0, SentRecords.SOMEWHERE);

        readBack(record(0, 0, 1), record(0, 1, 0));

        assertThat(findings.count(Kind.REORDERED)).isEqualTo(1);
    }

    @Test
    void findsAnotherOffsetThanWasAcknowledged() {
        acknowledged(0, 1);

        readBack(record(0, 0, 0));

        assertThat(findings.count(Kind.INCONSISTENT)).isEqualTo(1);
    }

    @Test
    void findsAGapOfOffsets() {
        acknowledged(0, 1);

        readBack(record(0, 1, 0));

        assertThat(findings.count(Kind.INCONSISTENT)).isEqualTo(1);
    }

    @Test
    void findsAChangedByte() {
        acknowledged(0, 0);
        ConsumerRecord<byte[], byte[]> changed = record(0, 0, 0);
        changed.value()[changed.value().length - 1]++;

        readBack(changed);

        assertThat(findings.count(Kind.INCONSISTENT)).isEqualTo(1);
        assertThat(findings.count(Kind.LOST)).isEqualTo(1);
    }

    @Test
    void findsThatAnOffsetHeldAnotherRecordBefore() {
        acknowledged(0, 0);
        assertThat(places.see("a consumer", record(0, 0, 7))).isPresent();

        readBack(record(0, 0, 0));

        assertThat(findings.count(Kind.INCONSISTENT)).isEqualTo(1);
    }

    @Test
    void findsACommitThatWentBack() {
        GroupProgress group = new GroupProgress("group", 2, findings);
        group.committed(1, 5);

        group.shown("the coordinator", 1, 5, group.committed(1));
        assertThat(findings.isEmpty()).isTrue();
        group.shown("the coordinator", 1, 4, group.committed(1));

        assertThat(findings.count(Kind.WENT_BACK)).isEqualTo(1);
        assertThat(group.committed(1)).isEqualTo(5);
    }

    @Test
    void knowsWhatAGroupHasNotSeen() {
        GroupProgress group = new GroupProgress("group", 1, findings);
        group.saw(0, 0);
        group.saw(0, 2);

        assertThat(group.complete(0, 1)).isTrue();
        assertThat(group.complete(0, 3)).isFalse();
        assertThat(group.unseen(0, 3)).isEqualTo(1);
        assertThat(group.firstUnseen(0)).isEqualTo(1);
    }
}

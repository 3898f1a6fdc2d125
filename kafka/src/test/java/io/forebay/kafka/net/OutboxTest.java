package io.forebay.kafka.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxTest {

    private static final int PART = 100;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Outbox outbox = new Outbox(channel);
    private final List<ByteBuf> parts = new ArrayList<>();

    OutboxTest() {
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(PART, 3 * PART));
    }

    @Test
    void handsOverOnePortionAfterTheOther() {
        write(10);

        channel.flush();
        assertThat(sent()).as("until more than the limit waited").isBetween(1, 4);
        assertThat(outbox.isEmpty()).isFalse();

        int portions = 1;
        while (!outbox.isEmpty()) {
            outbox.handOver();
            channel.flush();
            assertThat(sent()).isBetween(1, 4);
            portions++;
        }
        assertThat(portions).isGreaterThanOrEqualTo(3);
        assertThat(parts).allMatch(part -> part.refCnt() == 0);
    }

    @Test
    void keepsTheOrderWhateverTheChannelTakes() {
        write(5);
        channel.flush();
        write(2);

        outbox.handOverAll();
        channel.flush();

        for (int i = 0; i < 7; i++) {
            ByteBuf part = channel.readOutbound();
            assertThat(part.getByte(0)).isEqualTo((byte) i);
            assertThat(part.release()).isTrue();
        }
    }

    @Test
    void closedChannelLetsGoOfWhatWaits() {
        write(10);
        var unused = channel.close();
        channel.runPendingTasks();

        outbox.handOverAll();

        assertThat(outbox.isEmpty()).isTrue();
        assertThat(parts).allMatch(part -> part.refCnt() == 0);
    }

    private void write(int count) {
        for (int i = 0; i < count; i++) {
            ByteBuf part = Unpooled.buffer(PART).writerIndex(PART).setByte(0, parts.size());
            parts.add(part);
            outbox.write(part, channel.newPromise());
        }
    }

    private int sent() {
        int count = 0;
        ByteBuf part = channel.readOutbound();
        while (part != null) {
            count++;
            boolean unused = part.release();
            part = channel.readOutbound();
        }
        return count;
    }
}

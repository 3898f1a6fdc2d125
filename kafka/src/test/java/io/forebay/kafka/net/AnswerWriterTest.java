package io.forebay.kafka.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.kafka.api.RunRecords;
import io.forebay.model.ByteRun;
import io.forebay.model.SharedFile;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ReferenceCounted;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnswerWriterTest {

    private static final int FILE_BYTES = 200_000;

    @Test
    void rangesOfAFileAreLeftToTheSystem(@TempDir Path folder) throws IOException {
        byte[] content = new byte[FILE_BYTES];
        new SplittableRandom(1).nextBytes(content);
        try (FileChannel file = FileChannel.open(
                folder.resolve("f"), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            assertThat(file.write(ByteBuffer.wrap(content))).isEqualTo(FILE_BYTES);
            SharedFile shared = new SharedFile("object", file, Optional.empty(), () -> {});
            ByteRun run = ByteRun.ofFile(shared, new long[] {1_000, 11_000, 50_000}, new int[] {10_000, 10_000, 100});

            List<ReferenceCounted> parts =
                    AnswerWriter.encode(UnpooledByteBufAllocator.DEFAULT, ApiKeys.FETCH, (short) 12, 7, answer(run));

            List<FilePiece> pieces = parts.stream()
                    .filter(FilePiece.class::isInstance)
                    .map(FilePiece.class::cast)
                    .toList();
            assertThat(pieces).hasSize(2);
            assertThat(pieces.get(0).position()).isEqualTo(1_000);
            assertThat(pieces.get(0).count()).isEqualTo(20_000);
            assertThat(FilePiece.SIZES.newHandle().size(pieces.get(0))).isEqualTo(20_000);
            ByteArrayOutputStream sent = new ByteArrayOutputStream();
            for (ReferenceCounted part : parts) {
                send(part, sent);
            }
            assertThat(ByteBuffer.wrap(sent.toByteArray()).getInt()).isEqualTo(sent.size() - 4);
            ByteArrayOutputStream records = new ByteArrayOutputStream();
            records.write(content, 1_000, 20_000);
            records.write(content, 50_000, 100);
            assertThat(sent.toByteArray()).containsSequence(records.toByteArray());
            assertThat(file.isOpen()).isTrue();
        }
    }

    private static FetchResponseData answer(ByteRun run) {
        FetchResponseData answer = new FetchResponseData();
        answer.responses()
                .add(new FetchResponseData.FetchableTopicResponse()
                        .setTopic("t")
                        .setPartitions(List.of(new FetchResponseData.PartitionData().setRecords(new RunRecords(run)))));
        return answer;
    }

    private static void send(ReferenceCounted part, ByteArrayOutputStream to) throws IOException {
        if (part instanceof FilePiece piece) {
            assertThat(piece.transferTo(Channels.newChannel(to), 0)).isEqualTo(piece.count());
        } else if (part instanceof ByteBuf buffer) {
            byte[] bytes = new byte[buffer.readableBytes()];
            buffer.readBytes(bytes);
            to.writeBytes(bytes);
        }
        boolean unused = part.release();
    }
}

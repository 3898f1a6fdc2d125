package io.forebay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import io.forebay.store.PutOutcome;
import io.forebay.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckedStoreTest {

    private static final ObjectKey KEY = ObjectKey.of("j/0");

    @Test
    void leakedWriterIsNamed() {
        CheckedStore store = new CheckedStore(new MemoryStore());
        assertThat(store.createAppender(KEY, ObjectKey.of("j/1")).join()).isInstanceOf(CreateOutcome.Created.class);

        assertThatThrownBy(store::close).hasMessageContaining("left open").hasMessageContaining("the writer of 'j/0'");
    }

    @Test
    void leakedUploadIsNamed() {
        CheckedStore store = new CheckedStore(new MemoryStore());
        assertThat(store.beginUpload(KEY).join()).isNotNull();

        assertThatThrownBy(store::close).hasMessageContaining("the upload of 'j/0'");
    }

    @Test
    void whatWasEndedIsFine() {
        CheckedStore store = new CheckedStore(new MemoryStore());
        var upload = store.beginUpload(ObjectKey.of("up")).join();
        assertThat(upload.commit().join()).isEqualTo(PutOutcome.WRITTEN);
        store.beginUpload(ObjectKey.of("up")).join().abort();
        CreateOutcome closed = store.createAppender(KEY, ObjectKey.of("j/1")).join();
        ((CreateOutcome.Created) closed).appender().close().join();
        CreateOutcome fenced =
                store.createAppender(ObjectKey.of("j/2"), ObjectKey.of("up")).join();
        var outcome = ((CreateOutcome.Created) fenced)
                .appender()
                .append(List.of(ByteBuffer.allocate(1)))
                .join();
        assertThat(outcome).isNotNull();

        store.close();
    }

    @Test
    void registeredChecksRun() {
        CheckedStore store = new CheckedStore(new MemoryStore());
        store.onClose(inner -> assertThat(inner.list("", "", 10).join()).isEmpty());
        assertThat(store.putIfAbsent(KEY, ByteBuffer.allocate(1)).join()).isEqualTo(PutOutcome.WRITTEN);

        assertThatThrownBy(store::close).isInstanceOf(AssertionError.class);
    }
}

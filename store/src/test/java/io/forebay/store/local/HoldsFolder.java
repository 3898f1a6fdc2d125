package io.forebay.store.local;

import io.forebay.store.ObjectKey;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A process of its own that opens a folder, says so, and stays until it is killed. */
final class HoldsFolder {

    private HoldsFolder() {}

    public static void main(String[] arguments) throws InterruptedException {
        LocalStore store = FolderStart.open(
                Path.of(arguments[0]),
                LocalConfig.of(Map.of("store.local.reserve.bytes", "1000")),
                new SystemDisk(),
                Runnable::run,
                new HandClock());
        var put = store.putIfAbsent(ObjectKey.of("held/1"), ByteBuffer.allocate(1))
                .join();
        System.out.println(put.name().isEmpty() ? "" : "open");
        System.out.flush();
        new CountDownLatch(1).await();
    }
}

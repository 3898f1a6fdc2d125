package io.forebay.store.s3;

import java.net.URI;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;

/** S3Proxy over memory, on a free port of the loopback: a server that others wrote. */
final class MemoryS3 {

    static final String BUCKET = "forebay";

    private final S3Proxy server;
    final TransientNio2BlobStore objects = new TransientNio2BlobStore();

    MemoryS3() throws Exception {
        server = S3Proxy.builder()
                .blobStore(objects)
                .endpoint(URI.create("http://127.0.0.1:0"))
                .build();
        var unused = objects.createContainer(BUCKET);
        server.start();
    }

    URI uri(String prefix) {
        return URI.create("s3://" + BUCKET + "/" + prefix + "?endpoint=http://127.0.0.1:" + server.getPort());
    }

    void stop() throws Exception {
        server.stop();
    }
}

package io.forebay.store.hdfs;

import io.forebay.store.BlockingWork;
import io.forebay.store.StoreException;
import java.io.IOException;
import java.util.concurrent.Executor;

/** Blocking calls of HDFS. Thread-safe. */
final class HdfsWork extends BlockingWork {

    private final HdfsConfig config;

    HdfsWork(HdfsConfig config, Executor executor) {
        super(config.folder(), executor);
        this.config = config;
    }

    @Override
    public StoreException translate(String action, IOException cause) {
        return HdfsErrors.translate(config, action, cause);
    }
}

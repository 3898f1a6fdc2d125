package io.forebay.store.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.Store;
import io.forebay.store.StoreProbe;
import io.forebay.testkit.StoreContractTest;
import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HdfsStoreContractTest extends StoreContractTest {

    private final String folder = MiniHdfs.freshFolder();

    @SuppressWarnings("NullAway.Init") // set before each test
    private MiniHdfs.Opened opened;

    @Override
    protected Store openEmpty() throws IOException {
        opened = new MiniHdfs.Opened(MiniHdfs.uri(folder), Map.of());
        return opened.store();
    }

    @Override
    protected boolean successorFencesAlone() {
        return false;
    }

    @Test
    void probeFindsNothingWrong() {
        StoreProbe.Timings timings = StoreProbe.run(store(), new SplittableRandom(1), TestLoop.CLOCK);
        System.out.println(timings);

        assertThat(timings.append()).isPositive();
    }

    @AfterEach
    void leavesNoTemporaryFile() throws Exception {
        opened.close();
        Path temporary = new Path(folder + "/.forebay/tmp");
        assertThat(MiniHdfs.cluster().getFileSystem().listStatus(temporary)).isEmpty();
    }
}

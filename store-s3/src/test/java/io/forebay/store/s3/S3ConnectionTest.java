package io.forebay.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;

class S3ConnectionTest {
    private static final S3Config CONFIG = S3Config.of(URI.create("s3://bucket/x"), Map.of());

    @Test
    void missingRegionIsToldInOneLine() {
        assertThat(S3Connection.refused(
                        CONFIG,
                        SdkClientException.create(
                                "Unable to load region from any of the providers in the chain: [a, b]")))
                .hasMessage("no region is known for bucket 'bucket': add ?region=REGION to the store's URI, or set"
                        + " AWS_REGION");
        assertThat(S3Connection.refused(CONFIG, SdkClientException.create("no such profile")))
                .hasMessage("cannot reach bucket 'bucket': no such profile");
    }
}

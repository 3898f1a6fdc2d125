package io.forebay.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.StoreException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

class S3ConfigTest {

    @Test
    void readsBucketPrefixEndpointAndRegion() {
        S3Config config = config("s3://my.bucket-1/a/b/?endpoint=http://127.0.0.1:9000&region=eu-central-1");

        assertThat(config.bucket()).isEqualTo("my.bucket-1");
        assertThat(config.prefix()).isEqualTo("a/b/");
        assertThat(config.endpoint()).contains(URI.create("http://127.0.0.1:9000"));
        assertThat(config.region()).contains("eu-central-1");
        assertThat(config("s3://bucket").prefix()).isEmpty();
        assertThat(config("s3://bucket/").prefix()).isEmpty();
        assertThat(config("s3://bucket/x").endpoint()).isEmpty();
    }

    @Test
    void saysWhatIsWrong() {
        refused("s3:///x", "names no bucket");
        refused("s3:bucket", "names no bucket");
        refused("s3://bucket/a//b", "prefix");
        refused("s3://bucket?endpoint=127.0.0.1:9000", "http://HOST:PORT");
        refused("s3://bucket?endpoint=ftp://x", "http://HOST:PORT");
        refused("s3://bucket?regoin=x", "'regoin'");
    }

    @Test
    void settingsHaveLimits() {
        URI uri = URI.create("s3://bucket");

        assertThatThrownBy(() -> S3Config.of(uri, Map.of("store.s3.tries", "0")))
                .hasMessageContaining("tries");
        assertThatThrownBy(() -> S3Config.of(uri, Map.of("store.s3.timeout.ms", "soon")))
                .hasMessageContaining("whole number");
    }

    private static void refused(String uri, String why) {
        assertThatThrownBy(() -> config(uri))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.INVALID))
                .hasMessageContaining(why);
    }

    private static S3Config config(String uri) {
        return S3Config.of(URI.create(uri), Map.of());
    }
}

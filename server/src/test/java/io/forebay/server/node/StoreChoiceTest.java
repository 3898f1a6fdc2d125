package io.forebay.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.server.cli.NodeStartException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoreChoiceTest {

    @Test
    void schemeDecides() throws NodeStartException {
        for (String uri : new String[] {"file:///var/x", "hdfs://name:8020/x", "s3://bucket/x"}) {
            assertThat(StoreChoice.of(URI.create(uri), Map.of()).scheme() + ":")
                    .isEqualTo(uri.substring(0, uri.indexOf(':') + 1));
        }
    }

    @Test
    void whatThereIsIsListed() {
        assertThatThrownBy(() -> StoreChoice.of(URI.create("ftp://x/y"), Map.of()))
                .isInstanceOf(NodeStartException.class)
                .hasMessage("there is no store for 'ftp:' in this build: use file: or hdfs: or s3:");
    }

    @Test
    void wrongUriIsRefused() {
        for (String uri : new String[] {"file://host/x", "hdfs:x", "s3://bucket/x?regoin=y"}) {
            assertThatThrownBy(() -> StoreChoice.of(URI.create(uri), Map.of()))
                    .as(uri)
                    .isInstanceOf(NodeStartException.class)
                    .hasMessageContaining("'" + uri + "'");
        }
    }
}

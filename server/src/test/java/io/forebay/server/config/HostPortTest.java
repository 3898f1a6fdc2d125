package io.forebay.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HostPortTest {

    @Test
    void readsNamesAddressesAndBrackets() {
        assertThat(HostPort.parse("localhost:9092")).contains(new HostPort("localhost", 9092));
        assertThat(HostPort.parse("[::1]:0")).contains(new HostPort("::1", 0));
        assertThat(new HostPort("::1", 9092)).hasToString("[::1]:9092");
    }

    @Test
    void refusesWhatIsNotHostAndPort() {
        for (String text :
                new String[] {"", "host", "host:", ":9092", "host:99999", "::1:9092", "http://h:1", "a b:1"}) {
            assertThat(HostPort.parse(text)).as(text).isEmpty();
        }
    }
}

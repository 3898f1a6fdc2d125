package io.forebay.testkit;

import java.util.Map;

class LocalStoreOsSyncContractTest extends LocalStoreContractTest {

    @Override
    Map<String, String> settings() {
        return Map.of("store.local.reserve.bytes", "0", "store.local.sync", "os", "store.local.open.files", "3");
    }
}

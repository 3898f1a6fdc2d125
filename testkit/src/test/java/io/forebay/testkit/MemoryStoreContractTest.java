package io.forebay.testkit;

import io.forebay.store.Store;
import io.forebay.store.memory.MemoryStore;

class MemoryStoreContractTest extends StoreContractTest {

    @Override
    protected Store openEmpty() {
        return new MemoryStore();
    }
}

package io.forebay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreCapabilities;
import io.forebay.store.StoreException;
import io.forebay.store.StoreProbe;
import io.forebay.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StoreProbeTest {

    private final Simulation simulation = new Simulation(1);

    @Test
    void goodStorePassesAndNothingIsLeft() {
        MemoryStore store = new MemoryStore();

        StoreProbe.Timings timings = probe(store);

        assertThat(timings.append()).isNotNegative();
        assertThat(timings).hasToString("put 0 µs, append 0 µs, probe 0 µs");
        assertThat(store.list("", "", 10).join()).isEmpty();
    }

    @Test
    void leftoversOfDeadProbesAreRemovedButNotThoseOfLiveOnes() {
        MemoryStore store = new MemoryStore();
        long now = simulation.clock().wallMs();
        ObjectKey old = ObjectKey.of("probe/" + ObjectKey.padded(now - 7_200_000) + "-aa/put");
        ObjectKey live = ObjectKey.of("probe/" + ObjectKey.padded(now - 1_000) + "-aa/put");
        for (ObjectKey key : List.of(old, live)) {
            assertThat(store.putIfAbsent(key, ByteBuffer.allocate(1)).join()).isEqualTo(PutOutcome.WRITTEN);
        }

        StoreProbe.Timings timings = probe(store);

        assertThat(timings).isNotNull();
        assertThat(store.list("", "", 10).join()).containsExactly(new ObjectStat(live, 1));
    }

    @Test
    void probeThatPassedLatelyIsEnoughForAStoreThatSaysWhatItIsAbout() {
        WrappedStore store = new WrappedStore() {
            @Override
            public String probed() {
                return "server-1";
            }
        };
        long hour = simulation.clock().wallMs() / 3_600_000;
        ObjectKey young = ObjectKey.of("probed/server-1/" + ObjectKey.padded(hour));
        ObjectKey old = ObjectKey.of("probed/server-1/" + ObjectKey.padded(hour - 24));
        ObjectKey ahead = ObjectKey.of("probed/server-1/" + ObjectKey.padded(hour + 2));
        ObjectKey other = ObjectKey.of("probed/server-2/" + ObjectKey.padded(hour));
        for (ObjectKey key : List.of(old, ahead, other)) {
            assertThat(store.putIfAbsent(key, ByteBuffer.allocate(1)).join()).isEqualTo(PutOutcome.WRITTEN);
        }

        assertThat(probeUnlessNoted(store)).isPresent();
        assertThat(store.list("", "", 10).join()).extracting(ObjectStat::key).containsExactlyInAnyOrder(young, other);
        assertThat(probeUnlessNoted(store)).isEmpty();
        assertThat(probeUnlessNoted(new MemoryStore())).isPresent();
    }

    @Test
    void storeThatFailsItsProbeGetsNoNote() {
        WrappedStore wrong = new WrappedStore() {
            @Override
            public String probed() {
                return "server-1";
            }

            @Override
            public CompletableFuture<PutOutcome> putIfAbsent(ObjectKey key, ByteBuffer content) {
                return super.putIfAbsent(key, content).thenApply(outcome -> PutOutcome.WRITTEN);
            }
        };
        for (int start = 0; start < 2; start++) {
            assertThatThrownBy(() -> probeUnlessNoted(wrong)).hasMessageContaining("this store cannot be used");
        }
    }

    private Optional<StoreProbe.Timings> probeUnlessNoted(Store store) {
        return StoreProbe.runUnlessNoted(store, new SplittableRandom(7), simulation.clock());
    }

    @Test
    void storeThatLetsSeveralWritersWinIsRefused() {
        refused("4 that they made it", new WrappedStore() {
            @Override
            public CompletableFuture<PutOutcome> putIfAbsent(ObjectKey key, ByteBuffer content) {
                return super.putIfAbsent(key, content).thenApply(outcome -> PutOutcome.WRITTEN);
            }
        });
    }

    @Test
    void storeThatKeepsTheLoserIsRefused() {
        refused("does not read back", new WrappedStore() {
            @Override
            public CompletableFuture<PutOutcome> putIfAbsent(ObjectKey key, ByteBuffer content) {
                return super.delete(key)
                        .thenCompose(gone -> super.putIfAbsent(key, content))
                        .thenApply(done -> seen.add(key) ? PutOutcome.WRITTEN : PutOutcome.ALREADY_EXISTS);
            }
        });
    }

    @Test
    void storeWhoseListingLagsIsRefused() {
        refused("a listing misses", new WrappedStore() {
            @Override
            public CompletableFuture<List<ObjectStat>> list(String prefix, String startAfter, int limit) {
                return CompletableFuture.completedFuture(List.of());
            }
        });
    }

    @Test
    void storeThatDoesNotDeleteIsRefused() {
        refused("just deleted", new WrappedStore() {
            @Override
            public CompletableFuture<Void> delete(ObjectKey key) {
                return CompletableFuture.completedFuture(null);
            }
        });
    }

    @Test
    void storeThatDoesNotFenceIsRefused() {
        refused("fenced may go on", new WrappedStore() {
            @Override
            public CompletableFuture<CreateOutcome> createAppender(ObjectKey key, ObjectKey successor) {
                return super.createAppender(key, ObjectKey.of("never"));
            }

            @Override
            public CompletableFuture<Long> seal(ObjectKey key) {
                return super.read(key, 0, ByteBuffer.allocate(10_000)).thenApply(Integer::longValue);
            }
        });
    }

    @Test
    void storeThatLosesAcknowledgedBytesIsRefused() {
        refused("ends with", new WrappedStore() {
            @Override
            public CompletableFuture<CreateOutcome> createAppender(ObjectKey key, ObjectKey successor) {
                return super.createAppender(key, successor)
                        .thenApply(outcome -> outcome instanceof CreateOutcome.Created created
                                ? new CreateOutcome.Created(new ShortAppender(created.appender()))
                                : outcome);
            }
        });
    }

    @Test
    void storeThatIsAwayIsNotCalledWrong() {
        WrappedStore away = new WrappedStore() {
            @Override
            public CompletableFuture<PutOutcome> putIfAbsent(ObjectKey key, ByteBuffer content) {
                return CompletableFuture.completedFuture(PutOutcome.OUTCOME_UNKNOWN);
            }
        };
        assertThatThrownBy(() -> probe(away))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE));
    }

    private StoreProbe.Timings probe(Store store) {
        return StoreProbe.run(store, new SplittableRandom(7), simulation.clock());
    }

    private void refused(String why, Store store) {
        assertThatThrownBy(() -> probe(store))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.INVALID))
                .hasMessageContaining("this store cannot be used")
                .hasMessageContaining(why);
    }

    private record ShortAppender(Appender appender) implements Appender {
        @Override
        public CompletableFuture<AppendOutcome> append(List<ByteBuffer> bytes) {
            return appender.append(List.of(bytes.get(0).slice(0, 10)));
        }

        @Override
        public CompletableFuture<Void> close() {
            return appender.close();
        }
    }

    /** A good store, to be spoiled in one place. */
    private static class WrappedStore implements Store {
        private final Store store = new MemoryStore();
        final java.util.Set<ObjectKey> seen = new java.util.HashSet<>();

        @Override
        public StoreCapabilities capabilities() {
            return store.capabilities();
        }

        @Override
        public CompletableFuture<PutOutcome> putIfAbsent(ObjectKey key, ByteBuffer content) {
            return store.putIfAbsent(key, content);
        }

        @Override
        public CompletableFuture<ObjectUpload> beginUpload(ObjectKey key) {
            return store.beginUpload(key);
        }

        @Override
        public CompletableFuture<CreateOutcome> createAppender(ObjectKey key, ObjectKey successor) {
            return store.createAppender(key, successor);
        }

        @Override
        public CompletableFuture<Long> seal(ObjectKey key) {
            return store.seal(key);
        }

        @Override
        public CompletableFuture<Integer> read(ObjectKey key, long position, ByteBuffer destination) {
            return store.read(key, position, destination);
        }

        @Override
        public CompletableFuture<List<ObjectStat>> list(String prefix, String startAfter, int limit) {
            return store.list(prefix, startAfter, limit);
        }

        @Override
        public CompletableFuture<Void> delete(ObjectKey key) {
            return store.delete(key);
        }

        @Override
        public void close() {}
    }
}

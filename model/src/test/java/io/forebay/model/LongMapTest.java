package io.forebay.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LongMapTest {

    @Test
    void doesWhatAHashMapDoes() {
        for (int seed = 0; seed < 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            LongMap<Integer> map = new LongMap<>();
            Map<Long, Integer> model = new HashMap<>();
            for (int step = 0; step < 2_000; step++) {
                long key = random.nextInt(200) * (random.nextBoolean() ? 1L : 1L << 32);
                switch (random.nextInt(3)) {
                    case 0 -> {
                        model.put(key, step);
                        map.put(key, step);
                    }
                    case 1 -> {
                        model.remove(key);
                        map.remove(key);
                    }
                    default -> assertEquals(model.get(key), map.get(key));
                }
                assertEquals(model.size(), map.size());
            }
            assertEquals(model.values().stream().filter(v -> v % 2 == 0).count(), map.removeIf(v -> v % 2 == 0));
            model.values().removeIf(v -> v % 2 == 0);
            assertEquals(
                    model.keySet().stream().sorted().toList(),
                    java.util.Arrays.stream(map.sortedKeys()).boxed().toList());
        }
    }
}

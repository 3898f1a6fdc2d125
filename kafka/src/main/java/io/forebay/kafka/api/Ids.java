package io.forebay.kafka.api;

import java.util.UUID;
import org.apache.kafka.common.Uuid;

/** Topic ids as the protocol and as the broker write them. */
public final class Ids {

    /** Stands for "no id" on both sides. */
    public static final UUID NONE = new UUID(0, 0);

    private Ids() {}

    public static UUID fromKafka(Uuid id) {
        return new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    public static Uuid toKafka(UUID id) {
        return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }
}

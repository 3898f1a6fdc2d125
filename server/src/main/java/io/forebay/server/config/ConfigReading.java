package io.forebay.server.config;

import java.util.List;
import java.util.function.Function;

/** What came out of reading a configuration. */
public sealed interface ConfigReading {

    /** It can be used. */
    record Valid(ForebayConfig config) implements ConfigReading {}

    /** It cannot; every problem is one sentence for the user. There is at least one. */
    record Refused(List<String> problems) implements ConfigReading {
        public Refused {
            problems = List.copyOf(problems);
            if (problems.isEmpty()) {
                throw new IllegalArgumentException("refused without a problem");
            }
        }
    }

    /** Calls the function for the case at hand. */
    default <R> R fold(Function<Valid, R> valid, Function<Refused, R> refused) {
        if (this instanceof Valid outcome) {
            return valid.apply(outcome);
        }
        return refused.apply((Refused) this);
    }
}

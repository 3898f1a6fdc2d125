package io.forebay.bench.row;

import java.util.Locale;

/** The rows of the table that can be asked for one by one. */
public enum RowName {
    PRODUCE,
    CONSUME,
    MANY,
    LATENCY,
    START,
    RECOVER,
    CREATE,
    IDLE;

    /** Reads a name as given on the command line. */
    public static RowName parse(String text) {
        return valueOf(text.trim().toUpperCase(Locale.ROOT));
    }
}

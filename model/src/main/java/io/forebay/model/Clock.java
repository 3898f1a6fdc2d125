package io.forebay.model;

/** The only source of time. Thread-safe. */
public interface Clock {

    /** Wall-clock time in milliseconds since 1970-01-01T00:00Z. May jump in either direction. */
    long wallMs();

    /** Monotonic time in nanoseconds from an arbitrary origin. Only differences mean anything. */
    long nanos();
}

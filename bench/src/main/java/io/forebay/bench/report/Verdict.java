package io.forebay.bench.report;

/** What became of a bar. */
public enum Verdict {
    /** There is no bar. */
    UNJUDGED(""),
    /** There are no figures, or none of Kafka's to compare with. */
    NOT_MEASURED("not measured"),
    /** Too few rounds in which other processes left the machine alone. */
    NOISY("noisy, not judged"),
    MET("met"),
    /** Below the bar because the client had no time left, not the server. */
    CLIENT_LIMIT("met: the client is the limit"),
    MISSED("**missed**");

    private final String words;

    Verdict(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}

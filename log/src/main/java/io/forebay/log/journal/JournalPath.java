package io.forebay.log.journal;

import io.forebay.store.ObjectKey;

/**
 * Where the files of one lane of one journal lie.
 *
 * @param prefix key prefix without the session, e.g. {@code journal}
 * @param session number of the session, or of the term for the root's journal
 * @param lane from 0
 */
public record JournalPath(String prefix, long session, int lane) {

    public static JournalPath ofSession(long session, int lane) {
        return new JournalPath("journal", session, lane);
    }

    public static JournalPath ofRootTerm(long term) {
        return new JournalPath("root/journal", term, 0);
    }

    /** Prefix of all files of this lane, with a slash at the end. */
    public String lanePrefix() {
        return prefix + "/" + ObjectKey.padded(session) + "/" + lane + "/";
    }

    public ObjectKey file(long number) {
        return ObjectKey.of(lanePrefix() + ObjectKey.padded(number));
    }
}

package io.forebay.log.journal;

import io.forebay.store.ObjectKey;
import java.util.OptionalLong;

/**
 * Where the files of one lane of one journal lie.
 *
 * @param prefix key prefix without the session, e.g. {@code journal}
 * @param session number of the session, or of the term for the root's journal
 * @param lane from 0
 */
public record JournalPath(String prefix, long session, int lane) {

    private static final int NUMBER_DIGITS = 20;

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

    /** The number of a file of this lane; empty if the key names something else. */
    public OptionalLong numberOf(ObjectKey key) {
        String prefixOfLane = lanePrefix();
        String name = key.value();
        if (!name.startsWith(prefixOfLane) || name.length() != prefixOfLane.length() + NUMBER_DIGITS) {
            return OptionalLong.empty();
        }
        long number = 0;
        for (int i = prefixOfLane.length(); i < name.length(); i++) {
            int digit = name.charAt(i) - '0';
            if (digit < 0 || digit > 9 || number > (Long.MAX_VALUE - digit) / 10) {
                return OptionalLong.empty();
            }
            number = number * 10 + digit;
        }
        return OptionalLong.of(number);
    }

    public ObjectKey file(long number) {
        return ObjectKey.of(lanePrefix() + ObjectKey.padded(number));
    }
}

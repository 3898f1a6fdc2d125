package io.forebay.kafka.net;

import io.forebay.model.Clock;
import java.util.OptionalLong;

/**
 * Which pieces of files that were not sent are worth a line in the log: those whose file is at fault, not those whose client has gone, and one a minute, since a
 * client comes back and asks again. Owned by one loop.
 */
final class UnsentFiles {

    private static final long EVERY_NS = 60_000_000_000L;

    private final Clock clock;
    private boolean told;
    private long toldAtNs;
    private long untold;

    UnsentFiles(Clock clock) {
        this.clock = clock;
    }

    /** Takes note of a piece that was not sent. Present if it is to be told: how many were not, since the last that was. */
    OptionalLong failed(FilePiece piece, Throwable cause) {
        if (!piece.isAtFault(cause)) {
            return OptionalLong.empty();
        }
        long now = clock.nanos();
        if (told && now - toldAtNs < EVERY_NS) {
            untold++;
            return OptionalLong.empty();
        }
        OptionalLong before = OptionalLong.of(untold);
        told = true;
        toldAtNs = now;
        untold = 0;
        return before;
    }
}

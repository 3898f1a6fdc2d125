package io.forebay.log.journal;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How the groups of one journal reach the store: appended to files, or each put as a file of its own. Owned by the journal loop. */
interface Lane {

    /** What a lane tells its journal, on the journal loop. */
    interface Events {
        /** A file is there, so this session has begun; another group can be written. */
        void ready();

        /** The session was not fenced at that time of the clock. */
        void proven(long nanos);

        /** All before the position is durable and was or is about to be reported so. */
        void acknowledged(JournalPosition next);

        /** A file takes no more frames. */
        void closed(ClosedFile file);

        /** {@link Lane#next} may have another answer. */
        void moved();

        /** Nothing more will be written, as the journal is closing: its own tombstone goes to this number. */
        void finished(long nextNumber);

        void ended(JournalEndedException cause);

        /** Whether the journal writes what it has and then ends. */
        boolean isClosing();

        /** Whether the journal has ended. */
        boolean isOver();
    }

    /** Makes the first file. Once. */
    void begin();

    /** Where the next group is to be written; null: nowhere now, {@link Events#moved} or {@link Events#ready} tells when to ask again. */
    @Nullable
    JournalFile next();

    /** Whether the file is to take no more frames. */
    boolean isFull(JournalFile file);

    /** A group that must be written into {@link #next} again before any other. */
    @Nullable
    EntryGroup toWriteAgain();

    /** Sends what was written into {@link #next}, and tells its owners when it is durable. */
    void write(EntryGroup group);

    /** Does what is to be done when nothing waits. True: nothing is left to do until more comes. */
    boolean rest();

    /** Takes a request to close a file that is open; false if it is not. */
    boolean roll(long number, CompletableFuture<Optional<JournalPosition>> result);

    /** The end of a closed file if it is the newest one that holds anything. */
    Optional<JournalPosition> endOf(long number);

    /** The number that only a fencer can have taken: none as long as this lane itself may be making it. */
    OptionalLong nextToBeMade();

    /** Closed files below this number may be deleted when nobody needs them. Any thread. */
    long deletableBelow();

    /** Lets go of everything; entries that were not acknowledged are added to the group, in order. May be called again. */
    void end(JournalEndedException cause, EntryGroup unanswered);
}

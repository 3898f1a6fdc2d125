package io.forebay.log.journal;

/** Told once when a journal can take no more frames. */
public interface JournalListener {

    /**
     * The session is over: nothing that was not yet reported durable will be. Entries are told by themselves, after this.
     * On the journal loop. Not called for a journal that was closed in good order.
     */
    void ended(JournalEndedException cause);
}

package io.forebay.log.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Who waits for a file of a journal to take no more frames. Owned by the journal loop. */
final class RollRequests {

    private record Request(long number, CompletableFuture<Optional<JournalPosition>> result) {}

    private final List<Request> waiting = new ArrayList<>();

    void add(long number, CompletableFuture<Optional<JournalPosition>> result) {
        waiting.add(new Request(number, result));
    }

    /** Whether the file is to be closed although it is not full. One of which nothing is acknowledged has nothing to say to others. */
    boolean want(JournalFile file) {
        return !waiting.isEmpty()
                && file.acknowledgedEnd() > 0
                && waiting.stream().anyMatch(request -> request.number() == file.number());
    }

    /** @param end the position behind its trailer, if there is one to tell */
    void rolled(long number, Optional<JournalPosition> end) {
        for (Request request : take()) {
            if (request.number() == number) {
                request.result().complete(end);
            } else {
                waiting.add(request);
            }
        }
    }

    void fail(JournalEndedException cause) {
        take().forEach(request -> request.result().completeExceptionally(cause));
    }

    private List<Request> take() {
        List<Request> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }
}

package io.forebay.sim.mutation;

import io.forebay.sim.mutation.Mutation.Edit;
import java.util.stream.Stream;

/** The safety rules that are broken on purpose, and how. */
final class Mutations {

    private static final String LOG = "log/src/main/java/io/forebay/log/";
    private static final String APPENDS = LOG + "journal/AppendLane.java";
    private static final String FENCE = LOG + "journal/LaneFence.java";
    private static final String OPENING = LOG + "shard/ShardOpening.java";
    private static final String CLUSTER = "cluster/src/main/java/io/forebay/cluster/";
    private static final String BROKER = "broker/src/main/java/io/forebay/broker/";
    private static final String TOLD = "group.tell(entry -> entry.durable(entry.file, entry.bodyPosition));\n";

    /** Reads a term that nobody has rolled or ended as it is. */
    private static final String UNSEALED = "    private CompletableFuture<FencedJournal> sealedOrNot("
            + "long term, long own, JournalFence fence) {"
            + " JournalPath path = JournalPath.ofRootTerm(term);"
            + " return context.store().list(path.lanePrefix(), \"\", 1000).thenComposeAsync(found -> {"
            + " if (term == own - 1 || found.isEmpty() || context.store().capabilities().append() && found.size() > 1)"
            + " return fence.fence(path.prefix(), term, 1);"
            + " List<FencedJournal.File> files = new ArrayList<>();"
            + " for (ObjectStat stat : found) files.add(new FencedJournal.File("
            + "Long.parseLong(stat.key().name()), stat.key(), (int) stat.sizeBytes(), false));"
            + " return CompletableFuture.completedFuture(new FencedJournal("
            + "path.prefix(), term, List.of(new FencedJournal.Lane(0, files.size(), files))));"
            + " }, context.loop()); }\n";

    private Mutations() {}

    static Stream<Mutation> all() {
        return Stream.of(writing(), fencing(), owning(), deleting(), answering(), leading())
                .flatMap(part -> part);
    }

    private static Stream<Mutation> writing() {
        return Stream.of(
                Mutation.of(
                        "acknowledge before the flush",
                        new Edit(APPENDS, "                " + TOLD, ""),
                        new Edit(
                                APPENDS,
                                "        state = State.APPENDING;\n        inFlight = group;\n",
                                "        state = State.APPENDING;\n        inFlight = group;\n" + TOLD)),
                Mutation.of(
                        "trust the length of a failed file",
                        new Edit(APPENDS, "again = group;\n", "group.letGo();\n" + TOLD),
                        new Edit(
                                APPENDS,
                                "fileEnded(current, current.acknowledgedEnd());\n                openNext",
                                "fileEnded(current, current.position());\n                openNext")),
                Mutation.of(
                        "begin a range behind frames that were not moved",
                        new Edit(
                                LOG + "shard/ShardFlush.java",
                                "range.behind(from).ifPresent(rest::add);",
                                "range.behind(shard.endOfOwnFrames()).ifPresent(rest::add);")),
                Mutation.of(
                                "take a put of unknown outcome for done",
                                new Edit(
                                        LOG + "journal/PutFlight.java",
                                        "if (answer == PutOutcome.WRITTEN) {",
                                        "if (answer == PutOutcome.WRITTEN || answer == PutOutcome.OUTCOME_UNKNOWN) {"))
                        .likely(46),
                Mutation.of(
                        "acknowledge a put above a missing one",
                        new Edit(
                                LOG + "journal/PutLane.java",
                                "flight.written = true;",
                                "flights.forEach(each -> each.written = true);")));
    }

    private static Stream<Mutation> fencing() {
        return Stream.of(
                Mutation.of(
                                "tombstone after the seal",
                                new Edit(
                                        FENCE,
                                        "return listAgain()\n",
                                        "return sizes(new TreeMap<>(), \"\").thenComposeAsync(n -> n.isEmpty()"
                                                + " ? CompletableFuture.completedFuture(n)"
                                                + " : store.seal(path.file(n.lastKey())).handle((end, failed) -> n), loop)"
                                                + ".thenComposeAsync(this::entomb, loop)\n"))
                        .likely(32),
                Mutation.of(
                                "compute the end of a file that its successor has recorded",
                                new Edit(FENCE, "end != null ? end : file.end()", "file.end()"))
                        .likely(16),
                Mutation.of(
                                "take an empty file for a tombstone",
                                new Edit(
                                        LOG + "journal/LaneEnd.java",
                                        "header.filter(h -> h.kind() == JournalHeader.Kind.TOMBSTONE).isPresent()",
                                        "header.map(h -> h.kind() == JournalHeader.Kind.TOMBSTONE).orElse(true)"))
                        .likely(2),
                Mutation.of(
                        "compute the recorded end of a range anew",
                        new Edit(
                                OPENING,
                                "range.to().orElseGet(() -> index.end(range.lane()))",
                                "index.end(range.lane())")),
                Mutation.of(
                        "fence without heeding what files say was written",
                        new Edit(
                                LOG + "journal/LaneEnd.java",
                                "header.map(JournalHeader::written).orElse(number - 1)",
                                "number - 1")));
    }

    private static Stream<Mutation> owning() {
        String owners = CLUSTER + "control/Owners.java";
        Edit openWhatIsHeld = new Edit(
                OPENING,
                "if (range.to().isEmpty() && !ended) {",
                "if (range.to().isEmpty() && !ended) {"
                        + " JournalRange none = range.endedAt(range.from());"
                        + " if (id != null) return pastFrames.index(none).thenApply(i -> new PastRange(none, i));");
        return Stream.of(
                Mutation.of(
                        "open a shard of a session that was not fenced",
                        new Edit(
                                FENCE,
                                "return listAgain()\n",
                                "return sizes(new TreeMap<>(), \"\")"
                                        + ".thenApply(n -> new Ended(n, n.isEmpty() ? 0 : n.lastKey() + 1))\n")),
                Mutation.of(
                        "give a shard away before its owner has released it",
                        new Edit(
                                owners,
                                "member.released().forEach((number, epoch) -> {",
                                "var toGive = new java.util.HashMap<Integer, Long>(member.released());"
                                        + "moves.of(image(), session).forEach("
                                        + "m -> toGive.put(m.shard().value(), m.epoch()));"
                                        + "toGive.forEach((number, epoch) -> {"),
                        openWhatIsHeld),
                Mutation.of(
                        "use a session twice",
                        new Edit(
                                CLUSTER + "command/RegisterSession.java",
                                "new SessionImage(image.nextSession(),",
                                "new SessionImage(fenced.isEmpty() ? image.nextSession() : fenced.get(0),")));
    }

    private static Stream<Mutation> deleting() {
        String cleaner = LOG + "journal/JournalCleaner.java";
        return Stream.of(
                Mutation.of(
                        "judge orphans by their age alone",
                        new Edit(
                                LOG + "shard/Garbage.java",
                                "unnamed(keys, current.get()).iterator()",
                                "keys.iterator()")),
                Mutation.of(
                        "delete the highest journal object",
                        new Edit(cleaner, " || files.get(next).number() >= below", ""),
                        new Edit(LOG + "EndedSessions.java", "if (place < 0) {", "if (place <= 0) {")),
                Mutation.of(
                        "delete journal files out of order",
                        new Edit(
                                cleaner,
                                ": store.delete(path.file(file.number()))",
                                ": CompletableFuture.completedFuture(store.delete(path.file(file.number())))")));
    }

    private static Stream<Mutation> leading() {
        String claim = CLUSTER + "root/RootClaim.java";
        String root = CLUSTER + "root/Root.java";
        return Stream.of(
                Mutation.of(
                                "seal only the last term",
                                new Edit(
                                        claim,
                                        "return fence.fence(JournalPath.ofRootTerm(next).prefix(), next, 1)",
                                        "return sealedOrNot(next, own, fence)"),
                                new Edit(claim, "    private record Body(", UNSEALED + "    private record Body("))
                        .likely(23),
                Mutation.of(
                                "tell a decision before it is flushed",
                                new Edit(
                                        root,
                                        "            journal.append(new Write<>(",
                                        "            flushed = decided;"
                                                + " if (batch.getRecordsCount() > 0) listener.durable(decided, batch);"
                                                + " reply.complete(decision.reply());"
                                                + " journal.append(new Write<>("),
                                new Edit(root, "            flushed = after;\n", ""),
                                new Edit(root, "                listener.durable(after, batch);\n", ""))
                        .likely(10));
    }

    private static Stream<Mutation> answering() {
        return Stream.of(
                Mutation.of(
                        "answer a duplicate of a pending batch at once",
                        new Edit(
                                BROKER + "partition/Partition.java",
                                "log.whenDurable(\n",
                                "((java.util.function.BiConsumer<Runnable,"
                                        + " java.util.function.Consumer<RuntimeException>>)"
                                        + " (now, never) -> now.run()).accept(\n")),
                Mutation.of(
                        "tell a coordinator of a high watermark before the flush",
                        new Edit(
                                BROKER + "groups/GroupLog.java",
                                "end.complete(partition.appendOwn(own));",
                                "OptionalLong appended = partition.appendOwn(own);"
                                        + " appended.ifPresent(offset ->"
                                        + " listeners.keySet().forEach(l -> l.onHighWatermarkUpdated(key, offset)));"
                                        + " end.complete(appended);")),
                Mutation.of(
                        "serve reads without proof",
                        new Edit(
                                BROKER + "session/ServingProof.java",
                                "return clock.nanos() - log.provenAtNanos() < goodForNanos;",
                                "return true;")));
    }
}

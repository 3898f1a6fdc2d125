package io.forebay.server.cli.store;

import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.manifest.SegmentPart;
import io.forebay.model.ShardId;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Json;
import io.forebay.server.cli.terminal.Surroundings;
import io.forebay.server.cli.terminal.TextTable;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import io.forebay.store.local.LocalStoreProvider;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Says what is in a store, in words. */
@Command(
        name = "inspect",
        description = {
            "Say what is in a store: terms of the controller, journals, shards with their manifests and segments.",
            "Reads only; a node may be running on it."
        })
final class StoreInspectCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(
            names = "--store",
            paramLabel = "FOLDER",
            description = "Folder of the store (default: ./forebay-data).",
            defaultValue = "forebay-data",
            showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER)
    String folder = "forebay-data";

    @Option(names = "--json", description = "Answer in JSON.")
    boolean json;

    StoreInspectCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (folder.matches("[A-Za-z][A-Za-z0-9+.-]+:.*") && !folder.startsWith("file:")) {
            throw CommandFailure.usage("bad value '" + folder + "' for --store: only a folder can be inspected");
        }
        Path path = path();
        if (!Files.isDirectory(path.resolve(".forebay"))) {
            throw CommandFailure.failed("there is no store in folder " + path + ": name one with --store");
        }
        Map<String, String> settings = Map.of(
                "store.local.lock.name", "inspect-" + ProcessHandle.current().pid(), "store.local.reserve.bytes", "0");
        try (Store store = new LocalStoreProvider().open(path.toUri(), settings, Runnable::run, surroundings.clock())) {
            StoreReading reading = new StoreReading(store);
            Console console = surroundings.console();
            if (json) {
                console.out().println(Json.text(asJson(reading)));
            } else {
                print(reading, path, console.out());
            }
        } catch (StoreException failed) {
            throw CommandFailure.failed(String.valueOf(failed.getMessage()), failed);
        }
        return ExitCode.DONE;
    }

    private Path path() {
        URI uri = folder.startsWith("file:")
                ? URI.create(folder)
                : Path.of(folder).toUri();
        return uri.isOpaque() ? Path.of(uri.getSchemeSpecificPart()) : Path.of(uri);
    }

    private static void print(StoreReading reading, Path path, PrintStream out) {
        out.println("store in folder " + path.toAbsolutePath().normalize());
        out.println();
        out.println("controller: " + reading.list("root/term/").size() + " terms, "
                + reading.list("root/snapshot/").size() + " metadata snapshots");
        printLanes(reading.lanes("root/journal"), "metadata journals (one for each term)", out);
        List<StoreReading.Lane> journals = reading.lanes("journal");
        printLanes(journals, "journals (one for each session of a node)", out);
        Set<Long> ended = StoreReading.endedSessions(journals);
        List<StoreReading.ShardReading> shards = reading.shards();
        out.println();
        out.println("shards: " + shards.size() + " have been opened at least once");
        TextTable table = new TextTable(
                "shard", "manifest", "epoch", "state", "partitions", "segments", "bytes", "journal ranges");
        List<String> problems = new ArrayList<>();
        for (StoreReading.ShardReading shard : shards) {
            if (shard.manifest().isEmpty()) {
                problems.add("shard " + new ShardId(shard.shard()) + ": " + shard.problem());
                continue;
            }
            Manifest manifest = shard.manifest().get();
            table.row(
                    new ShardId(shard.shard()),
                    manifest.version(),
                    manifest.epoch(),
                    state(manifest.released(), manifest.session(), ended),
                    partitions(manifest).size(),
                    manifest.segments().size(),
                    manifest.segments().stream()
                            .mapToLong(SegmentEntry::sizeBytes)
                            .sum(),
                    ranges(manifest));
        }
        table.print(out);
        problems.forEach(problem -> out.println("damaged: " + problem));
    }

    /** A node that stops keeps its shards: its next session takes them over. */
    static String state(boolean released, long session, Set<Long> ended) {
        if (released) {
            return "released by session " + session;
        }
        return "owned by session " + session + (ended.contains(session) ? ", which has ended" : "");
    }

    private static void printLanes(List<StoreReading.Lane> lanes, String title, PrintStream out) {
        out.println();
        out.println(title + ":");
        TextTable table = new TextTable("journal", "lane", "files", "numbers", "bytes", "state");
        for (StoreReading.Lane lane : lanes) {
            table.row(
                    lane.journal(),
                    lane.lane(),
                    lane.files().objects(),
                    lane.firstFile() < 0 ? "none" : lane.firstFile() + " to " + lane.lastFile(),
                    lane.files().bytes(),
                    lane.state());
        }
        table.print(out);
    }

    private static Set<Long> partitions(Manifest manifest) {
        Set<Long> ids = new TreeSet<>();
        manifest.segments()
                .forEach(segment ->
                        segment.parts().stream().map(SegmentPart::partitionId).forEach(ids::add));
        manifest.memories().forEach(memory -> ids.add(memory.getPartitionId()));
        return ids;
    }

    private static String ranges(Manifest manifest) {
        List<String> words = new ArrayList<>();
        manifest.ranges()
                .forEach(range -> words.add("session " + range.session() + " from "
                        + range.from().file() + ":" + range.from().position()
                        + range.to()
                                .map(to -> " to " + to.file() + ":" + to.position())
                                .orElse(" on")));
        return String.join(", ", words);
    }

    private static Map<String, Object> asJson(StoreReading reading) {
        List<Object> shards = new ArrayList<>();
        List<StoreReading.Lane> journals = reading.lanes("journal");
        Set<Long> ended = StoreReading.endedSessions(journals);
        for (StoreReading.ShardReading shard : reading.shards()) {
            String name = new ShardId(shard.shard()).toString();
            if (shard.manifest().isEmpty()) {
                shards.add(Json.object("shard", name, "problem", shard.problem()));
                continue;
            }
            Manifest manifest = shard.manifest().get();
            shards.add(Json.object(
                    "shard", name,
                    "manifest", manifest.version(),
                    "epoch", manifest.epoch(),
                    "session", manifest.session(),
                    "session_ended", ended.contains(manifest.session()),
                    "released", manifest.released(),
                    "partitions", partitions(manifest),
                    "segments",
                            manifest.segments().stream()
                                    .map(segment -> Json.object(
                                            "key",
                                            segment.key(),
                                            "bytes",
                                            segment.sizeBytes(),
                                            "level",
                                            segment.level()))
                                    .toList(),
                    "journal_ranges", ranges(manifest)));
        }
        return Json.object(
                "terms", reading.list("root/term/").size(),
                "metadata_snapshots", reading.list("root/snapshot/").size(),
                "metadata_journals", lanes(reading.lanes("root/journal")),
                "journals", lanes(journals),
                "shards", shards);
    }

    private static List<Object> lanes(List<StoreReading.Lane> lanes) {
        List<Object> all = new ArrayList<>();
        lanes.forEach(lane -> all.add(Json.object(
                "journal",
                lane.journal(),
                "lane",
                lane.lane(),
                "files",
                lane.files().objects(),
                "bytes",
                lane.files().bytes(),
                "state",
                lane.state())));
        return all;
    }
}

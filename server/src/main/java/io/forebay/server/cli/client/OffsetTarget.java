package io.forebay.server.cli.client;

import io.forebay.server.cli.terminal.CommandFailure;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * A place in a topic as users write it: {@code beginning} (or {@code earliest}), {@code end} (or {@code latest}), an
 * offset, {@code -N} for the last N records of each partition, a time in ISO 8601 or {@code @MILLISECONDS}.
 *
 * @param number offset, count or milliseconds since 1970, as the kind wants it; otherwise 0
 */
public record OffsetTarget(Kind kind, long number) {

    /** What {@code number} means. */
    public enum Kind {
        BEGINNING,
        END,
        OFFSET,
        LAST,
        TIME
    }

    /** What a text may be, to complete "expected ...". */
    public static final String EXPECTATION =
            "beginning, end, an offset, -N for the last N, a time such as 2030-01-31T12:00:00Z, or @MILLISECONDS";

    public static final OffsetTarget BEGINNING = new OffsetTarget(Kind.BEGINNING, 0);

    /** Reads a text; empty if it is none of the above. A time without a zone is local. */
    public static Optional<OffsetTarget> parse(String text) {
        String word = text.strip();
        switch (word.toLowerCase(Locale.ROOT)) {
            case "beginning", "earliest" -> {
                return Optional.of(BEGINNING);
            }
            case "end", "latest" -> {
                return Optional.of(new OffsetTarget(Kind.END, 0));
            }
            default -> {
                // a number or a time
            }
        }
        if (word.matches("-?[0-9]{1,18}")) {
            long number = Long.parseLong(word);
            return Optional.of(
                    number < 0 ? new OffsetTarget(Kind.LAST, -number) : new OffsetTarget(Kind.OFFSET, number));
        }
        if (word.matches("@[0-9]{1,18}")) {
            return Optional.of(new OffsetTarget(Kind.TIME, Long.parseLong(word.substring(1))));
        }
        return parseTime(word).map(time -> new OffsetTarget(Kind.TIME, time.toEpochMilli()));
    }

    /** Reads a text; ends the command if it is none of the above. */
    public static OffsetTarget require(String option, String text) {
        return parse(text)
                .orElseThrow(() ->
                        CommandFailure.usage("bad value '" + text + "' for " + option + ": expected " + EXPECTATION));
    }

    /** The offset in each partition; always one between the partition's first and its end. */
    public Map<TopicPartition, Long> resolve(BrokerAdmin broker, Collection<TopicPartition> partitions) {
        Map<TopicPartition, Long> first = broker.offsets(partitions, OffsetSpec.earliest());
        Map<TopicPartition, Long> end = broker.offsets(partitions, OffsetSpec.latest());
        Map<TopicPartition, Long> atTime =
                kind == Kind.TIME ? broker.offsets(partitions, OffsetSpec.forTimestamp(number)) : Map.of();
        Map<TopicPartition, Long> result = new TreeMap<>(PartitionOrder.INSTANCE);
        for (TopicPartition partition : partitions) {
            long low = first.getOrDefault(partition, 0L);
            long high = end.getOrDefault(partition, low);
            long wanted = switch (kind) {
                case BEGINNING -> low;
                case END -> high;
                case OFFSET -> number;
                case LAST -> high - number;
                case TIME -> {
                    long found = atTime.getOrDefault(partition, -1L);
                    yield found < 0 ? high : found;
                }
            };
            result.put(partition, Math.max(low, Math.min(high, wanted)));
        }
        return result;
    }

    /**
     * The end, of the partition that reaches furthest, if this place lies beyond the end of every partition.
     *
     * @param starts where {@link #resolve} has put it
     * @param ends the partitions' ends
     */
    public Optional<Long> beyond(Map<TopicPartition, Long> starts, Map<TopicPartition, Long> ends) {
        boolean atEnds = starts.entrySet().stream()
                .allMatch(start -> start.getValue() >= ends.getOrDefault(start.getKey(), Long.MAX_VALUE));
        long furthest = ends.values().stream().mapToLong(Long::longValue).max().orElse(0);
        boolean beyond = atEnds && (kind == Kind.TIME || (kind == Kind.OFFSET && number > furthest));
        return beyond ? Optional.of(furthest) : Optional.empty();
    }

    private static Optional<Instant> parseTime(String text) {
        List<Function<String, Instant>> readers = List.of(
                Instant::parse,
                t -> OffsetDateTime.parse(t).toInstant(),
                t -> LocalDateTime.parse(t).atZone(ZoneId.systemDefault()).toInstant(),
                t -> LocalDate.parse(t).atStartOfDay(ZoneId.systemDefault()).toInstant());
        for (Function<String, Instant> reader : readers) {
            try {
                return Optional.of(reader.apply(text));
            } catch (DateTimeException e) {
                // perhaps the next one can
            }
        }
        return Optional.empty();
    }
}

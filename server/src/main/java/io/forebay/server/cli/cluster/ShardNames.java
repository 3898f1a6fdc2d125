package io.forebay.server.cli.cluster;

import io.forebay.model.ShardId;
import io.forebay.server.cli.terminal.CommandFailure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shards as people write them: {@code user-17}, {@code internal-0}. */
final class ShardNames {

    private static final Pattern NAME = Pattern.compile("(user|internal)-([0-9]{1,6})");

    private ShardNames() {}

    /** Reads a name; ends the command if the text is none. */
    static ShardId parse(String text) {
        Matcher matcher = NAME.matcher(text.strip());
        if (!matcher.matches()) {
            throw CommandFailure.usage(
                    "bad value '" + text + "' for SHARD: expected a name such as user-17 or internal-0");
        }
        int index = Integer.parseInt(matcher.group(2));
        if (matcher.group(1).equals("user")) {
            return ShardId.user(index);
        }
        try {
            return ShardId.internal(index);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage("bad value '" + text + "' for SHARD: " + e.getMessage());
        }
    }
}

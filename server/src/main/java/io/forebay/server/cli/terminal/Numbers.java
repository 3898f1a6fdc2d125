package io.forebay.server.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Numbers in option texts. */
public final class Numbers {
    private Numbers() {}

    /** Reads {@code 0,2,5} as partition numbers; ends the command if the text is something else. */
    public static List<Integer> list(String option, String text) {
        List<Integer> result = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String number = part.strip();
            if (!number.matches("[0-9]{1,9}")) {
                throw CommandFailure.usage(
                        "bad value '" + text + "' for " + option + ": expected partition numbers such as 0,2");
            }
            result.add(Integer.parseInt(number));
        }
        return result;
    }
}

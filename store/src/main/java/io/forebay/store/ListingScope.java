package io.forebay.store;

/**
 * What a {@link Store#list} asks for, for back ends that walk folders: which names can matter. Immutable.
 *
 * @param prefix keys start with it
 * @param startAfter keys are behind it
 */
public record ListingScope(String prefix, String startAfter) {

    /** The deepest folder that holds everything asked for, with a slash at its end; empty: the root. */
    public String folder() {
        return prefix.substring(0, prefix.lastIndexOf('/') + 1);
    }

    /** Whether a key is asked for. */
    public boolean holds(String key) {
        return key.startsWith(prefix) && key.compareTo(startAfter) > 0;
    }

    /** Whether a file of this name, or anything in a folder of this name, can belong to the answer. */
    public boolean mayMatch(String name) {
        String inside = name + "/";
        boolean byPrefix = name.startsWith(prefix) || inside.startsWith(prefix) || prefix.startsWith(inside);
        boolean byStart =
                startAfter.startsWith(inside) || inside.compareTo(startAfter) > 0 || name.compareTo(startAfter) > 0;
        return byPrefix && byStart;
    }
}

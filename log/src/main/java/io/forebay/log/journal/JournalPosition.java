package io.forebay.log.journal;

/**
 * A byte place in a journal lane.
 *
 * @param file number of the file
 * @param position bytes from the file's beginning
 */
public record JournalPosition(long file, int position) implements Comparable<JournalPosition> {

    @Override
    public int compareTo(JournalPosition other) {
        int byFile = Long.compare(file, other.file);
        return byFile != 0 ? byFile : Integer.compare(position, other.position);
    }
}

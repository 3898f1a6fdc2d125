package io.forebay.log.cache;

/**
 * Memory of the page cache, all of it off-heap, taken when first needed.
 *
 * @param pageBytes size of a journal page and of the larger pages of the cold share; a power of two
 * @param tailBytes hard limit of the journal's newest pages: {@code cache.tail.bytes}
 * @param coldBytes hard limit of pages read from the store: {@code cache.cold.bytes}
 * @param readAheadBytes the most that is read ahead of one reader
 */
public record CacheConfig(int pageBytes, long tailBytes, long coldBytes, int readAheadBytes) {

    public static final CacheConfig DEFAULT = new CacheConfig(1 << 20, 128L << 20, 64L << 20, 2 << 20);

    /** A block is the smallest read: a quarter of it would cost nearly as much, and four of them four times as much. */
    static final int MAX_BLOCK_BYTES = 64 << 10;

    private static final int MIN_PAGES = 4;

    public CacheConfig {
        if (pageBytes < 1024 || Integer.bitCount(pageBytes) != 1) {
            throw new IllegalArgumentException("a page is a power of two, at least 1 KiB: " + pageBytes);
        }
        if (tailBytes / pageBytes < MIN_PAGES || coldBytes / pageBytes < MIN_PAGES) {
            throw new IllegalArgumentException("each share of the cache has at least " + MIN_PAGES + " pages of "
                    + pageBytes + " bytes: cache.tail.bytes " + tailBytes + ", cache.cold.bytes " + coldBytes);
        }
        if (readAheadBytes < 0) {
            throw new IllegalArgumentException("read-ahead is not negative: " + readAheadBytes);
        }
    }

    /** Size of the smallest read and of the smaller pages of the cold share. */
    int blockBytes() {
        return Math.min(MAX_BLOCK_BYTES, pageBytes / 4);
    }

    int tailPages() {
        return (int) Math.min(Integer.MAX_VALUE, tailBytes / pageBytes);
    }

    /** Three quarters of the cold share are large pages, for sequential readers. */
    int coldLargePages() {
        return (int) Math.min(Integer.MAX_VALUE, coldBytes / pageBytes * 3 / 4);
    }

    /** One quarter of the cold share are single blocks, for readers that jump about. */
    int coldSmallPages() {
        return (int) Math.min(Integer.MAX_VALUE, coldBytes / 4 / blockBytes());
    }
}

package io.forebay.log.cache;

/**
 * Memory of the page cache, all of it off-heap, taken when first needed.
 *
 * @param pageBytes size of a journal page and of the largest page of the cold share; a power of two
 * @param tailBytes hard limit of the journal's newest pages
 * @param coldBytes hard limit of pages read from the store
 */
public record CacheConfig(int pageBytes, long tailBytes, long coldBytes) {

    public static final CacheConfig DEFAULT = new CacheConfig(1 << 20, 128L << 20, 64L << 20);
}

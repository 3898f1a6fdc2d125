package io.forebay.log.cache;

/** The cached pages of one object: the tail's by page, the cold share's by block. */
final class ObjectPages {
    final PageTable tail = new PageTable();
    final PageTable cold = new PageTable();
    /** Pages that lie in either table. Guarded by the cache's lock. */
    int pages;
}

package io.forebay.store;

/** One line of a listing. */
public record ObjectStat(ObjectKey key, long sizeBytes) {}

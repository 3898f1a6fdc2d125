package io.forebay.log.journal;

/** Told of every damaged place that a replay meets, once for each place and replay. */
public interface DamageListener {

    void damaged(JournalDamage damage);
}

/**
 * The root: terms claimed in the store, the controller's journal, replay and snapshots. Formats: docs/formats/metadata.md.
 *
 * <p>Safety rests on the store alone: a term is one conditional put, and every earlier term is fenced before the first record of a new one.
 * Everything mutable is owned by the root loop.
 */
@NullMarked
package io.forebay.cluster.root;

import org.jspecify.annotations.NullMarked;

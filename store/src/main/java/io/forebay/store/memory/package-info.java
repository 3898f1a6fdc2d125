/**
 * The back end that keeps everything on the heap of one process: for tests, trials and the simulator.
 *
 * <p>{@link io.forebay.store.memory.MemoryStore} does each operation at once, under one lock, on the caller's thread,
 * and answers with completed futures. Durable means: until the process ends. Several nodes in one process share a store
 * by sharing the object.
 *
 * <p>What is kept true: everything {@link io.forebay.store.Store} promises; and it is as strict as the strictest back
 * end, so that what works here works on a folder.
 */
@NullMarked
package io.forebay.store.memory;

import org.jspecify.annotations.NullMarked;

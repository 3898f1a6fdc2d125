/**
 * Produce and InitProducerId: records on their way in.
 *
 * <p>Batches are handed to the broker as slices of the request's memory, in the order of the request, on the connection's loop;
 * so the order per partition is the order on the wire, also over requests that are under way together. Per request there is one
 * object that counts its batches down, per batch one listener; nothing per record.
 */
@NullMarked
package io.forebay.kafka.produce;

import org.jspecify.annotations.NullMarked;

/**
 * The APIs of consumer groups, classic and KIP-848: the only package of this room that knows Kafka's group coordinator.
 *
 * <p>Handlers check what the request says about topics against the image, translate between names and ids, and between what old and new
 * versions of a message can express; all else is the coordinator's. Its futures complete on its own threads.
 */
@NullMarked
package io.forebay.kafka.groups;

import org.jspecify.annotations.NullMarked;

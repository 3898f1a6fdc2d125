package io.forebay.cluster.member;

/**
 * What a member knows of the controller.
 *
 * @param nodeId who it is, or was
 * @param heardMs since it answered last, in ms
 */
public record ControllerContact(int nodeId, long heardMs) {}

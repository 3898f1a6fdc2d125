/**
 * What the controller can be asked to do. Each command is pure: it looks at an image and decides on records and a reply;
 * only applying the records changes anything, and the reply leaves when they are durable.
 */
@NullMarked
package io.forebay.cluster.command;

import org.jspecify.annotations.NullMarked;

/**
 * Topics and configurations: checks what Kafka checks, then asks the controller.
 */
@NullMarked
package io.forebay.broker.admin;

import org.jspecify.annotations.NullMarked;

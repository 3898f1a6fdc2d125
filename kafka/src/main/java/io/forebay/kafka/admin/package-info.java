/** Topics and settings for administrators: each handler checks what concerns the request as such, the rest is the broker's {@code Admin}. */
@NullMarked
package io.forebay.kafka.admin;

import org.jspecify.annotations.NullMarked;

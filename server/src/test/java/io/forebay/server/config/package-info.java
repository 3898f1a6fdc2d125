/** Tests of the settings and what is made of them. */
@NullMarked
package io.forebay.server.config;

import org.jspecify.annotations.NullMarked;

/** Tests of reading lines and writing records. */
@NullMarked
package io.forebay.server.cli.records;

import org.jspecify.annotations.NullMarked;

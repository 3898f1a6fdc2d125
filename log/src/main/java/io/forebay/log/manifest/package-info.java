/**
 * What a shard consists of, version after version. Formats: docs/formats/manifest.md.
 */
@NullMarked
package io.forebay.log.manifest;

import org.jspecify.annotations.NullMarked;

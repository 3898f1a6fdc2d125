/** Bad days: kill -9, a full disk, damaged and foreign store folders. Every test owns its server process. */
@NullMarked
package io.forebay.conformance.faults;

import org.jspecify.annotations.NullMarked;

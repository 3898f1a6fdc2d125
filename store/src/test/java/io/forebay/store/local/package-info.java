/** Tests of the local folder beyond the contract that all back ends pass: faults of the disk, start-up, clean-up. */
@NullMarked
package io.forebay.store.local;

import org.jspecify.annotations.NullMarked;

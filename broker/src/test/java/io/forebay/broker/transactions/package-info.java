/** Tests of what coordinators of transactions decide. */
@NullMarked
package io.forebay.broker.transactions;

import org.jspecify.annotations.NullMarked;

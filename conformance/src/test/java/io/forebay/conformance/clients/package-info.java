/** Clients of several makers and years behind one interface, and the tests that let each read what each other wrote. Start with {@link io.forebay.conformance.clients.Client}. */
@NullMarked
package io.forebay.conformance.clients;

import org.jspecify.annotations.NullMarked;

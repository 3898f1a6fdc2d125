/**
 * The conformance room: Forebay as its users meet it. Real clients of other makers and other years, real input, real
 * processes that are killed, real folders that are full or damaged. Everything is below {@code src/test}:
 *
 * <ul>
 *   <li>{@code harness}: one server process per test class, the real text that is streamed, external commands;
 *   <li>{@code clients}: Java clients of several versions, kcat and kafkajs, each with every compression;
 *   <li>{@code tools}: Kafka's own command line tools and the client commands of {@code bin/forebay};
 *   <li>{@code wire}: raw sockets and hand-made frames;
 *   <li>{@code faults}: kill -9, disk full, damaged and foreign store folders.
 * </ul>
 *
 * <p>The same tests run against any other broker with {@code -Dconformance.bootstrap=HOST:PORT}; what needs to own the
 * process is skipped then. Use it with a real Kafka to see whether an expectation holds there too.
 *
 * <p>Threads: the tests' own. Read {@code harness/BrokerExtension} and {@code harness/ForebayProcess} first.
 */
@NullMarked
package io.forebay.conformance;

import org.jspecify.annotations.NullMarked;

package io.forebay.broker.transactions;

import io.forebay.model.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What coordinators of transactions work with.
 *
 * @param loadExecutor replays partitions
 * @param newProducerId an id that was never given out
 * @param mayServe whether it is proven that this node's session is not over
 */
public record TransactionPorts(
        TransactionConfig config,
        Clock clock,
        Executor loadExecutor,
        Supplier<CompletableFuture<Long>> newProducerId,
        TransactionMarkers markers,
        BooleanSupplier mayServe) {}

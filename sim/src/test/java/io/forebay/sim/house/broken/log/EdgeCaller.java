package io.forebay.sim.house.broken.log;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Breaks the rule about the edge once in each method, except in those that say so. */
public final class EdgeCaller {

    long wallClock() {
        return System.currentTimeMillis();
    }

    long monotonicClock() {
        return System.nanoTime();
    }

    LongSupplier clockByReference() {
        return System::nanoTime;
    }

    LongSupplier clockInLambda() {
        return () -> System.nanoTime() / 1000;
    }

    Instant instant() {
        return Instant.now();
    }

    LocalDate date() {
        return LocalDate.now(java.time.ZoneOffset.UTC);
    }

    Clock systemClock() {
        return Clock.systemUTC();
    }

    @SuppressWarnings("JavaUtilDate")
    Date oldDate() {
        return new Date();
    }

    Instant allowedInstantOfAClock(Clock clock) {
        return Instant.now(clock);
    }

    double mathRandom() {
        return Math.random();
    }

    Random unseeded() {
        return new Random();
    }

    Random allowedSeeded(long seed) {
        return new Random(seed);
    }

    int threadLocalRandom() {
        return ThreadLocalRandom.current().nextInt();
    }

    java.security.SecureRandom secureRandom() {
        return new java.security.SecureRandom();
    }

    Supplier<UUID> uuid() {
        return UUID::randomUUID;
    }

    void sleep() throws InterruptedException {
        Thread.sleep(1);
    }

    void unitSleep() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(1);
    }

    void park() {
        LockSupport.parkNanos(1);
    }

    Thread thread(Runnable task) {
        return new Thread(task);
    }

    ExecutorService pool() {
        return Executors.newSingleThreadExecutor();
    }

    Executor commonPool() {
        return ForkJoinPool.commonPool();
    }

    CompletableFuture<Integer> defaultExecutor() {
        return CompletableFuture.supplyAsync(() -> 1);
    }

    CompletableFuture<Integer> defaultExecutorInChain(CompletableFuture<Integer> future) {
        return future.thenApplyAsync(x -> x + 1);
    }

    CompletableFuture<Integer> allowedOwnExecutor(CompletableFuture<Integer> future, Executor loop) {
        return future.thenApplyAsync(x -> x + 1, loop);
    }

    CompletableFuture<Integer> hiddenTimer(CompletableFuture<Integer> future) {
        return future.orTimeout(1, TimeUnit.SECONDS);
    }

    int parallelStream(List<Integer> numbers) {
        return numbers.parallelStream().mapToInt(x -> x).sum();
    }

    void exit() {
        System.exit(1);
    }

    void halt() {
        Runtime.getRuntime().halt(1);
    }
}

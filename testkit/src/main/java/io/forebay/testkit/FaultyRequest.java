package io.forebay.testkit;

import io.forebay.store.StoreException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request to a {@link FaultyStore} on its way: schedules the steps of its effect and brings the answer home.
 *
 * <p>Where its steps run: at the store, where nothing that happens to the sender stops them; or on the sender's thread,
 * where a pause holds them and a kill ends them.
 */
final class FaultyRequest {

    /** Where the steps of an effect run. */
    enum Place {
        AT_THE_STORE,
        ON_THE_SENDERS_THREAD
    }

    private final FaultyStore store;
    private final SimulatedProcess sender;
    private final SimulatedLoop sendersThread;
    private final Place place;
    private final @Nullable StoreFault fault;
    private final Optional<Consumer<SimulatedProcess>> blow;
    private final int life;
    private boolean arrived;

    FaultyRequest(
            FaultyStore store,
            SimulatedProcess sender,
            SimulatedLoop sendersThread,
            Place place,
            @Nullable StoreFault fault,
            Optional<Consumer<SimulatedProcess>> blow) {
        this.store = store;
        this.sender = sender;
        this.sendersThread = sendersThread;
        this.place = place;
        this.fault = fault;
        this.blow = blow;
        this.life = store.life();
    }

    @Nullable
    StoreFault fault() {
        return fault;
    }

    /** Runs the step after an ordinary delay, unless power is lost before. */
    void then(Runnable step) {
        long slow = fault == StoreFault.SLOW && store.chance().nextBoolean() ? store.slowNanos() : 0;
        after(store.stepNanos() + slow, step);
    }

    /** Starts the effect when the fault says, and answers when the fault says. */
    <T> CompletableFuture<T> run(Consumer<CompletableFuture<T>> effect, Consumer<CompletableFuture<T>> timedOut) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        CompletableFuture<T> unheard = new CompletableFuture<>();
        if (fault == null || fault == StoreFault.SLOW) {
            then(() -> runEffect(effect, answerOf(answer)));
            return answer;
        }
        switch (fault) {
            case UNAVAILABLE, SHORT_WRITE, FAILED_SYNC ->
                then(() -> answer.completeExceptionally(new StoreException(
                        StoreException.Kind.UNAVAILABLE, "injected: " + fault, new BackEndException())));
            case FULL ->
                then(() -> answer.completeExceptionally(new StoreException(
                        StoreException.Kind.FULL, "injected: no space left on device", new BackEndException())));
            case TIMEOUT_DONE -> {
                then(() -> runEffect(effect, unheard));
                timeOut(answer, timedOut);
            }
            case TIMEOUT_LATER -> {
                after(store.lateNanos(), () -> runEffect(effect, unheard));
                timeOut(answer, timedOut);
            }
            case TIMEOUT_NEVER -> timeOut(answer, timedOut);
            case SLOW -> throw new AssertionError("handled above");
        }
        return Relay.to(answer, this::home, Function.identity());
    }

    /** What the effect completes so that the sender hears of it. */
    private <T> CompletableFuture<T> answerOf(CompletableFuture<T> answer) {
        CompletableFuture<T> atStore = new CompletableFuture<>();
        Relay.pass(atStore, answer, this::home, Function.identity());
        return atStore;
    }

    private <T> void runEffect(Consumer<CompletableFuture<T>> effect, CompletableFuture<T> result) {
        try {
            effect.accept(result);
        } catch (StoreException refused) {
            result.completeExceptionally(refused);
        }
    }

    private <T> void timeOut(CompletableFuture<T> answer, Consumer<CompletableFuture<T>> timedOut) {
        store.simulation().after(store.timeoutNanos(), () -> timedOut.accept(answer));
    }

    /** Runs on the sender's thread: waits while it is paused, never happens when it is dead. */
    private void home(Runnable delivery) {
        blow.ifPresent(strike -> store.simulation().after(0, () -> strike.accept(sender)));
        store.simulation().after(store.stepNanos(), () -> sendersThread.execute(delivery));
    }

    private void after(long delayNanos, Runnable step) {
        store.simulation().after(delayNanos, () -> {
            if (life != store.life()) {
                return;
            }
            if (place == Place.ON_THE_SENDERS_THREAD) {
                sendersThread.execute(step);
                return;
            }
            boolean vanishes = !arrived && sender.dead() && store.chance().nextBoolean();
            if (!vanishes) {
                arrived = true;
                step.run();
            }
        });
    }
}

package io.forebay.testkit;

import io.forebay.store.ObjectKey;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A shared store that fails in every way a real one may, as steps of a {@link Simulation}.
 *
 * <p>The fault model, which is the contract of {@link Store} read against the caller:
 * <ul>
 *   <li>A request travels, takes effect in one or several steps, and its answer travels back; any number of other steps
 *       happen in between. Two requests of one process may overtake each other.
 *   <li>A request once sent takes effect even if its sender is paused, fenced or dead, maybe much later; a dead sender's
 *       may also vanish. Answers to a paused process wait, to a dead one vanish.
 *   <li>A request may fail without effect, or time out with its effect now, later or never.
 *   <li>An append is <em>write, sync, look</em>, a seal is <em>read the end, sync, fix it</em>, a put is <em>name, sync the
 *       name</em>, with windows between, as on a local folder. Some appends run on the sender's own thread (a pause stops
 *       them between two steps, a kill ends them there), some run at the store.
 *   <li>A crash of a process may take, tear or spoil what it wrote and did not sync. A loss of power does so for all files,
 *       and for names and sealed ends that were visible but not yet on the disk.
 * </ul>
 * What it never does: break a promise of {@link Store}.
 *
 * <p>It also watches its callers: a buffer that changed before its request was answered, and two appends at once on one
 * writer, fail the run.
 *
 * <p>Owned by the thread that runs the simulation.
 */
public final class FaultyStore {

    private final Simulation simulation;
    private final RandomGenerator chance;
    private final NavigableMap<String, FaultyObject> objects = new TreeMap<>();
    /** Deleted, but the deletion is not on the disk yet. */
    private final Map<String, FaultyObject> fading = new TreeMap<>();

    private final List<ScriptedFault> script = new ArrayList<>();
    private final Map<StoreFault, Integer> injected = new EnumMap<>(StoreFault.class);
    private final Set<SimulatedProcess> cutOff = new HashSet<>();
    private final List<SimulatedProcess> users = new ArrayList<>();
    private StoreFaults faults = StoreFaults.NONE;
    private long stalledUntilNanos;
    private boolean append = true;
    /** Counts losses of power: requests of an earlier life take no effect. */
    private int life;

    private final List<Blow> blows = new ArrayList<>();
    private @Nullable Watcher watcher;

    private record ScriptedFault(StoreOperation operation, Predicate<ObjectKey> keys, StoreFault fault) {}

    /** Waits for somebody to send a request. */
    private record Blow(StoreOperation operation, String prefix, boolean answered, Consumer<SimulatedProcess> strike) {}

    /** Sees what becomes of objects, whoever does it. */
    public interface Watcher {
        /** An object got its name. */
        void named(ObjectKey key, byte[] content);

        /** An object is about to lose its name by a deletion. */
        void deletes(ObjectKey key);
    }

    public FaultyStore(Simulation simulation) {
        this.simulation = simulation;
        this.chance = simulation.random("store");
    }

    /** The store as this process sees it. */
    public Store handle(SimulatedProcess process) {
        users.add(process);
        return new FaultyHandle(this, process);
    }

    /** The store as a process of this name sees it that is never killed. */
    public Store handle(String processName) {
        return handle(simulation.process(processName));
    }

    /** From now on a store that takes whole objects only. Before it is used. */
    public void withoutAppend() {
        append = false;
    }

    boolean append() {
        return append;
    }

    /** What goes wrong from now on. */
    public void faults(StoreFaults now) {
        faults = now;
    }

    public StoreFaults faults() {
        return faults;
    }

    /** Spoils the next request of this kind on a key that matches; several add up, each used once. */
    public void next(StoreOperation operation, Predicate<ObjectKey> keys, StoreFault fault) {
        script.add(new ScriptedFault(operation, keys, fault));
    }

    /**
     * Strikes the sender of the next request of this kind on a key with this prefix: it dies, or stands still, at the worst time. Used once.
     *
     * @param answered strikes when the request has taken effect and the answer is on its way; else when it was sent
     */
    public void strikeNext(
            StoreOperation operation, String prefix, boolean answered, Consumer<SimulatedProcess> strike) {
        blows.add(new Blow(operation, prefix, answered, strike));
    }

    /** Sets who is told of names that come and go. */
    public void watch(Watcher listener) {
        watcher = listener;
    }

    /** Lets no request take effect for a while; they wait. */
    public void stall(long ms) {
        stalledUntilNanos = Math.max(stalledUntilNanos, simulation.nowNanos() + ms * 1_000_000L);
    }

    /** From now on no request of this process arrives; it times out. */
    public void cutOff(SimulatedProcess process) {
        cutOff.add(process);
    }

    public void reconnect(SimulatedProcess process) {
        cutOff.remove(process);
    }

    /** Ends the faults and the stall, and reconnects everybody. What was sent before may still arrive late. */
    public void heal() {
        faults = StoreFaults.NONE;
        script.clear();
        blows.clear();
        cutOff.clear();
        stalledUntilNanos = 0;
    }

    /** Kills the process; what it wrote and did not sync may be lost, torn or garbage. */
    public void crash(SimulatedProcess process) {
        process.kill();
        for (FaultyObject object : objects.values()) {
            if (object.writer == process) {
                object.crash(chance);
            }
        }
    }

    /** Kills every process that has a handle and loses what was not on the disk, and all requests under way. */
    public void powerLoss() {
        life++;
        users.forEach(SimulatedProcess::kill);
        fading.forEach((key, object) -> {
            if (chance.nextBoolean()) {
                objects.putIfAbsent(key, object);
            }
        });
        fading.clear();
        objects.values().removeIf(object -> !object.nameDurable() && chance.nextBoolean());
        for (FaultyObject object : objects.values()) {
            object.nameIsDurable();
            object.powerLoss(chance);
        }
    }

    /** How often each fault was injected: a scenario that wants one can tell whether it came. */
    public Map<StoreFault, Integer> injected() {
        return Map.copyOf(injected);
    }

    /** What any reader would see now, by key. For checks; takes no time and never fails. */
    public NavigableMap<ObjectKey, byte[]> snapshot() {
        NavigableMap<ObjectKey, byte[]> visible = new TreeMap<>();
        objects.forEach((key, object) -> visible.put(ObjectKey.of(key), object.read(0, object.readableEnd())));
        return visible;
    }

    /** What a listing would show now: sizes in bytes by key. For checks; takes no time and never fails. */
    public NavigableMap<ObjectKey, Long> sizes(String prefix) {
        NavigableMap<ObjectKey, Long> sizes = new TreeMap<>();
        for (var object : objects.tailMap(prefix, true).entrySet()) {
            if (!object.getKey().startsWith(prefix)) {
                break;
            }
            sizes.put(ObjectKey.of(object.getKey()), (long) object.getValue().readableEnd());
        }
        return sizes;
    }

    /** How many bytes of the object would surely survive a loss of power; -1 if there is no such object. */
    public long durableBytes(ObjectKey key) {
        FaultyObject object = objects.get(key.value());
        return object == null ? -1 : Math.min(object.synced(), object.readableEnd());
    }

    // ---- for the handles

    Simulation simulation() {
        return simulation;
    }

    RandomGenerator chance() {
        return chance;
    }

    int life() {
        return life;
    }

    NavigableMap<String, FaultyObject> objects() {
        return objects;
    }

    @Nullable
    FaultyObject find(ObjectKey key) {
        return objects.get(key.value());
    }

    /** Takes the name, visibly but not yet durably, unless it is taken. */
    boolean name(ObjectKey key, FaultyObject object) {
        String name = key.value();
        String inside = objects.ceilingKey(name + "/");
        boolean folder = inside != null && inside.startsWith(name + "/");
        for (int slash = name.lastIndexOf('/'); slash > 0; slash = name.lastIndexOf('/', slash - 1)) {
            folder |= objects.containsKey(name.substring(0, slash));
        }
        if (folder) {
            throw new StoreException(
                    StoreException.Kind.INVALID, "'" + name + "' is, or lies in, the folder of another object");
        }
        boolean made = objects.putIfAbsent(name, object) == null;
        if (made && watcher != null) {
            watcher.named(key, object.read(0, object.size()));
        }
        return made;
    }

    /** Removes the name, visibly but not yet durably. */
    void unname(ObjectKey key) {
        if (watcher != null && objects.containsKey(key.value())) {
            watcher.deletes(key);
        }
        FaultyObject removed = objects.remove(key.value());
        if (removed != null) {
            fading.put(key.value(), removed);
        }
    }

    void unnameDurably(ObjectKey key) {
        fading.remove(key.value());
    }

    /** What happens to the sender of this request when its answer is on the way. If it is struck at once, that begins here. */
    Optional<Consumer<SimulatedProcess>> blow(SimulatedProcess sender, StoreOperation operation, ObjectKey key) {
        for (Blow blow : blows) {
            if (blow.operation == operation && key.value().startsWith(blow.prefix)) {
                blows.remove(blow);
                if (blow.answered) {
                    return Optional.of(blow.strike);
                }
                simulation.after(0, () -> blow.strike.accept(sender));
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** What goes wrong with this request, if anything. */
    @Nullable
    StoreFault draw(SimulatedProcess sender, StoreOperation operation, ObjectKey key) {
        StoreFault fault = drawAny(sender, operation, key);
        if (fault != null) {
            injected.merge(fault, 1, Integer::sum);
        }
        return fault;
    }

    private @Nullable StoreFault drawAny(SimulatedProcess sender, StoreOperation operation, ObjectKey key) {
        if (cutOff.contains(sender)) {
            return StoreFault.TIMEOUT_NEVER;
        }
        for (ScriptedFault scripted : script) {
            if (scripted.operation == operation && scripted.keys.test(key)) {
                script.remove(scripted);
                return scripted.fault;
            }
        }
        for (StoreFault fault : StoreFault.values()) {
            double probability = faults.probabilities().getOrDefault(fault, 0.0);
            if (probability > 0 && chance.nextDouble() < probability) {
                return fault;
            }
        }
        return null;
    }

    /** How long the next step takes: mostly short, sometimes near the longest. */
    long stepNanos() {
        long min = faults.minDelayMicros() * 1_000;
        long spread = faults.maxDelayMicros() * 1_000 - min;
        double drawn = chance.nextDouble();
        long nanos = min + (long) (spread * drawn * drawn * drawn);
        return Math.max(nanos, stalledUntilNanos - simulation.nowNanos());
    }

    long slowNanos() {
        return 1 + chance.nextLong(faults.slowMaxMs() * 1_000_000L);
    }

    long lateNanos() {
        return 1 + chance.nextLong(faults.lateMaxMs() * 1_000_000L);
    }

    long timeoutNanos() {
        return faults.timeoutMs() * 1_000_000L;
    }
}

package io.forebay.sim.workload;

/** Something clients do, and what must hold at the end. */
public interface Workload {

    /** Begins to act on the clients' loop. */
    void start();

    /** Ends new work; what is under way goes on until it is settled. */
    void stop();

    /** Whether everything that was begun has been answered for good. */
    boolean settled();

    /**
     * Checks what was promised, when the node serves and nothing fails any more.
     *
     * @throws AssertionError naming what is wrong
     */
    void check();
}

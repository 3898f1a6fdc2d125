package io.forebay.kafka.api;

import io.forebay.model.Loop;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/**
 * The far end of a connection: who it is and what it told about itself. Owned by the connection's loop; the final fields are for
 * everyone.
 */
public final class ClientConnection {

    private final String id;
    private final InetAddress address;
    private final Loop loop;
    private final List<Runnable> closeTasks = new ArrayList<>();
    private volatile Consumer<String> dropper = reason -> {};
    private KafkaPrincipal principal;
    private String softwareName = "unknown";
    private String softwareVersion = "unknown";

    /**
     * @param id unique among the connections of this process
     * @param loop that owns the connection
     */
    public ClientConnection(String id, InetAddress address, Loop loop, KafkaPrincipal principal) {
        this.id = id;
        this.address = address;
        this.loop = loop;
        this.principal = principal;
    }

    public String id() {
        return id;
    }

    public InetAddress address() {
        return address;
    }

    public Loop loop() {
        return loop;
    }

    /** On whose behalf requests are made. Anonymous as long as the listener asks for no proof. */
    public KafkaPrincipal principal() {
        return principal;
    }

    /** Takes over what the client has proven to be. */
    public void authenticated(KafkaPrincipal proven) {
        principal = proven;
    }

    /** What the client said about itself in ApiVersions. */
    public void introduced(String name, String version) {
        softwareName = name;
        softwareVersion = version;
    }

    public String softwareName() {
        return softwareName;
    }

    public String softwareVersion() {
        return softwareVersion;
    }

    /** Runs the task on the loop when the connection is closed. */
    public void whenClosed(Runnable task) {
        closeTasks.add(task);
    }

    /** Says how the connection is closed from this side. By the owner of the socket, before anything else. */
    public void droppedBy(Consumer<String> closer) {
        dropper = closer;
    }

    /** Closes the connection, for a reason that is logged. Any thread. */
    public void drop(String reason) {
        loop.run(() -> dropper.accept(reason));
    }

    /** Called by the owner of the socket, once. */
    public void closed() {
        closeTasks.forEach(Runnable::run);
        closeTasks.clear();
    }
}

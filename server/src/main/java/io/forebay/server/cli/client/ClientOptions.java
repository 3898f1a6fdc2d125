package io.forebay.server.cli.client;

import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.config.HostPort;
import java.io.IOException;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.CommonClientConfigs;
import picocli.CommandLine.Option;

/** The options of every command that talks to a broker. */
public final class ClientOptions {
    private static final int CONNECT_TIMEOUT_MS = 3_000;
    private static final int API_TIMEOUT_MS = 30_000;

    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:9092",
            description = "Broker to ask first, or several with commas between them (default: ${DEFAULT-VALUE}).")
    String bootstrap = "";

    @Option(
            names = "--client-config",
            paramLabel = "FILE",
            description = "File with settings of the Kafka client, e.g. for security.")
    Optional<Path> clientConfig = Optional.empty();

    @Option(
            names = "--client",
            paramLabel = "key=value",
            description = "One setting of the Kafka client; wins over the file and over the other options.")
    Map<String, String> clientSettings = new LinkedHashMap<>();

    /** Connects; fails within seconds, in words, if no broker answers. */
    public BrokerAdmin connect() {
        Map<String, Object> properties = properties(Map.of());
        requireListener();
        return BrokerAdmin.connect(bootstrap, properties);
    }

    /**
     * Properties for a client.
     *
     * @param wanted what the command wants; the user's own settings win over it
     */
    public Map<String, Object> properties(Map<String, Object> wanted) {
        Map<String, Object> all = new HashMap<>();
        all.put(CommonClientConfigs.CLIENT_ID_CONFIG, "forebay-cli");
        all.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, API_TIMEOUT_MS);
        all.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
        all.putAll(wanted);
        clientConfig.ifPresent(file -> all.putAll(read(file)));
        all.putAll(clientSettings);
        all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        return all;
    }

    /** A quick look whether anybody listens, because the client library itself would go on trying for long. */
    private void requireListener() {
        List<HostPort> servers = new ArrayList<>();
        for (String part : bootstrap.split(",", -1)) {
            servers.add(HostPort.parse(part.strip())
                    .filter(server -> server.port() > 0)
                    .orElseThrow(() ->
                            CommandFailure.usage("bad value '" + part + "' for --bootstrap: expected" + " HOST:PORT")));
        }
        IOException last = new IOException("no server named");
        for (HostPort server : servers) {
            try (Socket socket = new Socket()) {
                InetSocketAddress address = new InetSocketAddress(server.host(), server.port());
                if (address.isUnresolved()) {
                    throw new UnknownHostException(server.host());
                }
                socket.connect(address, CONNECT_TIMEOUT_MS);
                return;
            } catch (UnknownHostException e) {
                last = e;
            } catch (IOException e) {
                last = e;
            }
        }
        if (last instanceof UnknownHostException) {
            throw CommandFailure.failed("there is no host '" + last.getMessage() + "': check --bootstrap", last);
        }
        throw CommandFailure.failed(
                "cannot reach a broker at " + bootstrap + ": is `bin/forebay start` running?", last);
    }

    private static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException e) {
            throw CommandFailure.usage("cannot read --client-config '" + file + "': " + e.getMessage());
        }
        Map<String, String> result = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> result.put(name, properties.getProperty(name)));
        return result;
    }
}

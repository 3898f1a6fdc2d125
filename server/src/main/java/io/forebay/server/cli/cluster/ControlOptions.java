package io.forebay.server.cli.cluster;

import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.config.HostPort;
import picocli.CommandLine.Option;

/** The options of every command that talks to a control port. */
final class ControlOptions {

    @Option(
            names = "--control",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:9096",
            description = "Control port (cluster.listen) of any node (default: ${DEFAULT-VALUE}).")
    String control = "";

    /** Makes ready to ask; nothing is sent yet. */
    ControlClient connect() {
        HostPort address = HostPort.parse(control)
                .filter(server -> server.port() > 0)
                .orElseThrow(
                        () -> CommandFailure.usage("bad value '" + control + "' for --control: expected HOST:PORT"));
        return new ControlClient(address.toString());
    }
}

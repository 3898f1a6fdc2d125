package io.forebay.cluster.command;

import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.CommandReply;

/** A command that any node may send to the controller, and so can be written down. */
public interface NodeCommand<T> extends Command<T> {

    /** As it is sent. */
    ClusterCommand encoded();

    /** The reply as it is sent. */
    CommandReply encodedReply(T reply);

    /** The reply as it was meant. */
    T decodedReply(CommandReply reply);
}

package io.forebay.cluster.image;

import io.forebay.log.journal.Maker;
import java.util.Set;

/**
 * One session that was registered and is not known to be fenced.
 *
 * @param incarnation its own random id: registering it again gives the same session
 * @param process random id of the process whose session it is; of all the sessions that it has one after the other
 * @param lanes of its journal; 0: it writes none
 * @param roles what may be given to it
 * @param maxLevel highest feature level it can work with
 */
public record SessionImage(
        long session, int nodeId, Maker incarnation, Maker process, int lanes, Set<Role> roles, int maxLevel) {
    public SessionImage {
        roles = Set.copyOf(roles);
    }
}

package io.forebay.store.hdfs;

import io.forebay.store.StoreException;
import io.forebay.store.StoreException.Kind;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcException;
import org.apache.hadoop.security.AccessControlException;

/** What an error of HDFS means, and what somebody can do about it. */
final class HdfsErrors {

    private static final String[] NOBODY_THERE = {"There are 0 datanode(s) running", "running and 0 node"};

    private HdfsErrors() {}

    /** The error itself where the NameNode sent it in another one. */
    static IOException unwrap(IOException cause) {
        return cause instanceof RemoteException remote ? remote.unwrapRemoteException() : cause;
    }

    /** Whether a name is taken, or being taken, by a file or folder. */
    static boolean taken(IOException cause) {
        IOException known = unwrap(cause);
        return known instanceof FileAlreadyExistsException
                || known instanceof AlreadyBeingCreatedException
                || named(cause, "RecoveryInProgressException");
    }

    /** Whether there is no such file: no such name, or a file where a folder should be. */
    static boolean missing(IOException cause) {
        return unwrap(cause) instanceof FileNotFoundException || notAFolder(cause);
    }

    /** Whether a file lies where a folder should be. A checked path tells it as a lack of permission. */
    static boolean notAFolder(IOException cause) {
        IOException known = unwrap(cause);
        return known instanceof ParentNotDirectoryException
                || (known instanceof AccessControlException
                        && text(known).toLowerCase(Locale.ROOT).contains("is not a directory"));
    }

    static boolean notEmpty(IOException cause) {
        return unwrap(cause) instanceof PathIsNotEmptyDirectoryException;
    }

    /** Whether the NameNode itself said no: then nothing was or will be done. */
    static boolean refused(IOException cause) {
        IOException known = unwrap(cause);
        if (named(cause, "StandbyException")
                || named(cause, "RetriableException")
                || named(cause, "ObserverRetryOnActiveException")) {
            return false;
        }
        return cause instanceof RemoteException
                || known instanceof AccessControlException
                || known instanceof SafeModeException
                || known instanceof ClusterStorageCapacityExceededException
                || known instanceof FileNotFoundException
                || known instanceof FileAlreadyExistsException
                || known instanceof ParentNotDirectoryException;
    }

    /** Whether the NameNode keeps no extended attributes, or none as large. */
    static boolean withoutAttributes(RemoteException refusal) {
        return named(refusal, "UnsupportedOperationException") || text(refusal).contains("XAttr");
    }

    /**
     * Whether no DataNode can tell how much of an open file it has. So it is when all that hold it were restarted since: none
     * writes it any more, and none shows any of it until its lease is recovered.
     */
    static boolean endUnknown(Throwable thrown) {
        return named(thrown, "CannotObtainBlockLengthException");
    }

    /** Whether nobody was there to answer. */
    static boolean unreachable(Throwable cause) {
        return cause instanceof ConnectException
                || cause instanceof NoRouteToHostException
                || cause instanceof UnknownHostException
                || cause instanceof SocketTimeoutException
                || (cause.getCause() != null && cause.getCause() != cause && unreachable(cause.getCause()));
    }

    /** No DataNode could be found for a block. */
    static boolean placeless(IOException cause) {
        return text(cause).contains("could only be written to") || text(cause).contains("could only be replicated to");
    }

    static StoreException translate(HdfsConfig config, String action, IOException thrown) {
        IOException cause = unwrap(thrown);
        String text = text(cause);
        String where = config.nameNode().toString();
        if (cause instanceof SafeModeException || text.contains("Name node is in safe mode")) {
            return failed(
                    Kind.UNAVAILABLE,
                    action + ": the NameNode of " + where
                            + " is in safe mode and lets nobody write; it leaves it by itself"
                            + " once the DataNodes have reported their blocks ('hdfs dfsadmin -safemode get' tells,"
                            + " '-safemode leave' ends one that an operator entered)",
                    thrown);
        }
        if (text.contains("SIMPLE authentication is not enabled") || text.contains("Client cannot authenticate via")) {
            return failed(
                    Kind.INVALID,
                    action
                            + ": the cluster wants Kerberos: name the folder with its core-site.xml ('store.hdfs.conf') and"
                            + " start Forebay as a user who holds a ticket ('kinit')",
                    thrown);
        }
        if (cause instanceof AccessControlException) {
            return failed(
                    Kind.INVALID,
                    action + ": " + firstLine(text) + ". Give " + config.folder()
                            + " to the user who runs Forebay ('hdfs dfs -chown -R USER " + config.folder() + "')",
                    thrown);
        }
        if (cause instanceof ClusterStorageCapacityExceededException || text.contains("quota")) {
            return failed(
                    Kind.FULL,
                    action + ": " + firstLine(text)
                            + ". Raise the folder's quota ('hdfs dfsadmin -setSpaceQuota') or delete data",
                    thrown);
        }
        if (placeless(cause)) {
            return noPlace(config, action, text, thrown);
        }
        if (text.toLowerCase(Locale.ROOT).contains("no space left") || text.contains("DiskOutOfSpaceException")) {
            return failed(Kind.FULL, action + ": disks of DataNodes are full: " + firstLine(text), thrown);
        }
        return network(config, action, where, thrown, cause, text);
    }

    private static StoreException noPlace(HdfsConfig config, String action, String text, IOException thrown) {
        for (String nobody : NOBODY_THERE) {
            if (text.contains(nobody) && text.contains("There are 0 datanode")) {
                return failed(
                        Kind.UNAVAILABLE,
                        action + ": no DataNode of " + config.nameNode()
                                + " is alive: start some ('hdfs dfsadmin -report')",
                        thrown);
            }
        }
        if (text.contains("are excluded in this operation") && !text.contains("no node(s) are excluded")) {
            return failed(
                    Kind.UNAVAILABLE,
                    action + ": none of the DataNodes that are left takes a block: " + firstLine(text),
                    thrown);
        }
        return failed(
                Kind.FULL,
                action + ": no DataNode takes a new block of " + config.blockBytes()
                        + " bytes, most likely because their" + " disks are full ('hdfs dfsadmin -report' tells): "
                        + firstLine(text),
                thrown);
    }

    private static StoreException network(
            HdfsConfig config, String action, String where, IOException thrown, IOException cause, String text) {
        if (named(thrown, "StandbyException")) {
            return failed(
                    Kind.UNAVAILABLE,
                    action + ": " + where
                            + " is a standby NameNode: use the name service (hdfs://NAME/FOLDER?conf=FOLDER),"
                            + " which finds the active one",
                    thrown);
        }
        if (cause instanceof RpcException
                || named(thrown, "RpcNoSuchProtocolException")
                || named(thrown, "VersionMismatch")
                || text.contains("exceeds maximum data length")
                || text.contains("Invalid protocol")
                || (cause instanceof EOFException && text.contains("End of File Exception between local host"))) {
            return failed(
                    Kind.INVALID,
                    action + ": what answers at " + where + " is no NameNode: give the port of its RPC server"
                            + " (dfs.namenode.rpc-address, often 8020 or 9000), not that of its web page",
                    thrown);
        }
        if (cause instanceof UnknownHostException || text.contains("UnknownHostException")) {
            return failed(
                    Kind.UNAVAILABLE,
                    action + ": no machine is known as '" + config.nameNode().getAuthority() + "'; a name service needs"
                            + " the folder with its hdfs-site.xml ('store.hdfs.conf' or ?conf=)",
                    thrown);
        }
        if (unreachable(cause)) {
            return failed(
                    Kind.UNAVAILABLE,
                    action + ": " + where + " does not answer: is the NameNode running, and is this the port of its RPC"
                            + " server (dfs.namenode.rpc-address, often 8020 or 9000)? " + firstLine(text),
                    thrown);
        }
        return failed(Kind.UNAVAILABLE, action + ": " + firstLine(text), thrown);
    }

    private static StoreException failed(Kind kind, String message, IOException cause) {
        return new StoreException(kind, message, cause);
    }

    static boolean interrupted(Throwable cause) {
        return cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException);
    }

    private static boolean named(Throwable cause, String simpleName) {
        if (cause.getClass().getSimpleName().equals(simpleName)) {
            return true;
        }
        return cause instanceof RemoteException remote
                && remote.getClassName() != null
                && remote.getClassName().endsWith(simpleName);
    }

    private static String text(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }
}

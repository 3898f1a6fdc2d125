package io.forebay.server.cli.dev;

import java.io.IOException;
import java.util.Arrays;

/** A process that behaves like a node as far as its parent can see. */
final class FakeDevNode {

    private FakeDevNode() {}

    public static void main(String[] args) throws IOException {
        System.err.println("arguments " + Arrays.toString(args));
        if (Arrays.asList(args).contains("cluster.name=broken")) {
            System.exit(3);
        }
        System.out.println("forebay ready on somewhere");
        if (Arrays.asList(args).contains("cluster.name=brief")) {
            return;
        }
        while (System.in.read() >= 0) {
            // until the parent is gone
        }
    }
}

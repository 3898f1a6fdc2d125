package io.forebay.store.s3;

import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * Where the bucket is, and how patiently it is asked.
 *
 * @param prefix what all keys begin with: empty, or ends with a slash
 * @param endpoint a server other than Amazon's; buckets are then named in the path
 * @param region empty: where the SDK finds it, or with an endpoint {@value #ANY_REGION}
 * @param timeoutMs {@code store.s3.timeout.ms}: how long one request may go without an answer, its bytes apart
 * @param tries {@code store.s3.tries}: how often a request is sent before its caller hears that the store is away
 */
record S3Config(
        String bucket, String prefix, Optional<URI> endpoint, Optional<String> region, long timeoutMs, int tries) {

    /** Servers that are not Amazon's have to be told some region; most take any. */
    static final String ANY_REGION = "us-east-1";

    /** Two requests lost in a row are rare, five mean that the store is away. */
    private static final int DEFAULT_TRIES = 5;

    /** Far above the slowest answers of a healthy bucket, far below what a client waits for. */
    private static final long DEFAULT_TIMEOUT_MS = 5_000;

    /** Longest prefix; S3 takes keys of 1,024 bytes, of which {@link ObjectKey#MAX_CHARACTERS} are ours. */
    private static final int MAX_PREFIX_CHARACTERS = 256;

    S3Config {
        if (timeoutMs < 1) {
            throw invalid("store.s3.timeout.ms is at least 1: " + timeoutMs);
        }
        if (tries < 1) {
            throw invalid("store.s3.tries is at least 1: " + tries);
        }
    }

    static S3Config of(URI uri, Map<String, String> settings) {
        String bucket = uri.getRawAuthority();
        if (uri.isOpaque() || bucket == null || !bucket.matches("[A-Za-z0-9._-]{3,63}")) {
            throw invalid("'" + uri + "' names no bucket: a store in a bucket is written s3://BUCKET/PREFIX");
        }
        Optional<URI> endpoint = Optional.empty();
        Optional<String> region = Optional.empty();
        String query = uri.getRawQuery();
        for (String option : query == null || query.isEmpty() ? new String[0] : query.split("&")) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            String value = equals < 0 ? "" : URLDecoder.decode(option.substring(equals + 1), StandardCharsets.UTF_8);
            switch (name) {
                case "endpoint" -> endpoint = Optional.of(server(value, uri));
                case "region" -> region = Optional.of(value).filter(text -> !text.isEmpty());
                default ->
                    throw invalid(
                            "'" + uri + "' has the option '" + name + "', but there are only endpoint and region");
            }
        }
        return new S3Config(
                bucket,
                prefix(uri),
                endpoint,
                region,
                number(settings, "store.s3.timeout.ms", DEFAULT_TIMEOUT_MS),
                (int) Math.min(1_000, number(settings, "store.s3.tries", DEFAULT_TRIES)));
    }

    /** The bucket and where it is, for people. */
    String place() {
        return "bucket '" + bucket + "'" + endpoint.map(at -> " at " + at).orElse("");
    }

    private static String prefix(URI uri) {
        String path = uri.getPath() == null ? "" : uri.getPath();
        String inner = path.replaceAll("^/+|/+$", "");
        if (inner.length() > MAX_PREFIX_CHARACTERS || !inner.matches("[A-Za-z0-9._/-]*") || inner.contains("//")) {
            throw invalid("'" + uri + "' has a prefix that is not made of letters, digits, '.', '_' and '-' between"
                    + " single slashes, or longer than " + MAX_PREFIX_CHARACTERS + " characters");
        }
        return inner.isEmpty() ? "" : inner + "/";
    }

    private static URI server(String value, URI uri) {
        try {
            URI server = new URI(value);
            boolean web = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
            if (web && server.getHost() != null) {
                return server;
            }
        } catch (URISyntaxException notOne) {
            // Falls through to the same message.
        }
        throw invalid("'" + uri + "' has the endpoint '" + value + "': it is written http://HOST:PORT or https://HOST");
    }

    private static long number(Map<String, String> settings, String name, long preset) {
        String text = settings.get(name);
        try {
            return text == null ? preset : Long.parseLong(text);
        } catch (NumberFormatException notANumber) {
            throw invalid("bad value '" + text + "' for '" + name + "': expected a whole number");
        }
    }

    private static StoreException invalid(String message) {
        return new StoreException(StoreException.Kind.INVALID, message);
    }
}

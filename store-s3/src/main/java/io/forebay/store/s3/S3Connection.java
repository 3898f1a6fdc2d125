package io.forebay.store.s3;

import io.forebay.store.Store;
import io.forebay.store.StoreException;
import io.forebay.store.StorePorts;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.client.config.SdkAdvancedAsyncClientOption;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/** How the SDK is set up. */
final class S3Connection {

    /** Most requests of each kind under way: S3 takes thousands a second under one prefix, each for some 10 to 100 ms. */
    static final int WRITES_AT_ONCE = 32;

    static final int READS_AT_ONCE = 64;

    private static final int SOCKET_THREADS = 2;
    /** Connections are closed within this time; nobody waits for it. */
    private static final long QUIET_MS = 200;

    private static final long LONGEST_END_MS = 2_000;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    /** Shorter than servers keep an idle connection open: one that they close just as we use it costs a repetition. */
    private static final Duration IDLE = Duration.ofSeconds(10);

    private S3Connection() {}

    /** Asks nothing of the store yet. */
    static Store open(S3Config config, StorePorts ports) {
        EventLoopGroup sockets = sockets();
        AwsCredentialsProvider credentials =
                DefaultCredentialsProvider.builder().build();
        S3AsyncClientBuilder builder = S3AsyncClient.builder()
                .credentialsProvider(credentials)
                .httpClientBuilder(NettyNioAsyncHttpClient.builder()
                        .eventLoopGroup(SdkEventLoopGroup.create(sockets))
                        .maxConcurrency(WRITES_AT_ONCE + READS_AT_ONCE)
                        .connectionTimeout(CONNECT_TIMEOUT)
                        .connectionMaxIdleTime(IDLE)
                        // Time-outs are the requests' own; these only have to be longer.
                        .readTimeout(Duration.ofHours(1))
                        .writeTimeout(Duration.ofHours(1)))
                .overrideConfiguration(ClientOverrideConfiguration.builder()
                        .retryStrategy(AwsRetryStrategy.doNotRetry())
                        .build())
                .asyncConfiguration(async ->
                        async.advancedOption(SdkAdvancedAsyncClientOption.FUTURE_COMPLETION_EXECUTOR, ports.io()))
                .forcePathStyle(config.endpoint().isPresent());
        config.endpoint()
                .ifPresent(server -> builder.endpointOverride(server)
                        // Servers other than Amazon's often refuse the trailing checksums that the SDK sends unasked.
                        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED));
        config.region()
                .or(() -> config.endpoint().map(server -> S3Config.ANY_REGION))
                .ifPresent(region -> builder.region(Region.of(region)));
        try {
            S3AsyncClient client = builder.build();
            return new S3Store(config, client, new S3Calls(ports, config), () -> {
                client.close();
                end(sockets);
            });
        } catch (SdkException e) {
            end(sockets);
            throw refused(config, e);
        }
    }

    /** Of a region that is nowhere the SDK tells at length where it has looked. */
    static StoreException refused(S3Config config, SdkException cause) {
        String words = String.valueOf(cause.getMessage());
        return new StoreException(
                StoreException.Kind.INVALID,
                words.contains("Unable to load region")
                        ? "no region is known for " + config.place()
                                + ": add ?region=REGION to the store's URI, or set AWS_REGION"
                        : "cannot reach " + config.place() + ": " + words,
                cause);
    }

    /** The SDK knows only this group, and would take two seconds to end one of its own. */
    @SuppressWarnings("deprecation")
    private static EventLoopGroup sockets() {
        return new NioEventLoopGroup(SOCKET_THREADS, new DefaultThreadFactory("s3", true));
    }

    private static void end(EventLoopGroup sockets) {
        var unused = sockets.shutdownGracefully(QUIET_MS, LONGEST_END_MS, TimeUnit.MILLISECONDS);
    }
}

package io.forebay.store.s3;

import io.forebay.store.ObjectKey;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/** What each request says. Immutable. */
final class S3Requests {

    /** The name under which an object remembers the call that made it. */
    static final String TOKEN = "forebay-put";

    private static final String ONLY_IF_ABSENT = "*";

    /** Bytes get this much time each second, on top of the time-out of a request without any. */
    private static final long SLOWEST_BYTES_PER_MS = 2_000;

    private final S3Config config;

    S3Requests(S3Config config) {
        this.config = config;
    }

    private String name(ObjectKey key) {
        return config.prefix() + key.value();
    }

    private AwsRequestOverrideConfiguration inTime(long bytes) {
        return AwsRequestOverrideConfiguration.builder()
                .apiCallAttemptTimeout(Duration.ofMillis(config.timeoutMs() + bytes / SLOWEST_BYTES_PER_MS))
                .build();
    }

    /** The checksum is made before the first byte leaves: a store that checks it takes no other bytes than these. */
    PutObjectRequest put(ObjectKey key, ByteBuffer content, String token) {
        PutObjectRequest.Builder request = PutObjectRequest.builder();
        if (config.endpoint().isPresent()) {
            // Every server knows this one.
            request.contentMD5(Base64.getEncoder().encodeToString(md5(content)));
        } else {
            CRC32C crc = new CRC32C();
            crc.update(content.duplicate());
            byte[] sum = ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
            request.checksumCRC32C(Base64.getEncoder().encodeToString(sum));
        }
        return request.bucket(config.bucket())
                .key(name(key))
                .ifNoneMatch(ONLY_IF_ABSENT)
                .metadata(Map.of(TOKEN, token))
                .contentLength((long) content.remaining())
                .overrideConfiguration(inTime(content.remaining()))
                .build();
    }

    private static byte[] md5(ByteBuffer content) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            digest.update(content.duplicate());
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }

    HeadObjectRequest head(ObjectKey key) {
        return HeadObjectRequest.builder()
                .bucket(config.bucket())
                .key(name(key))
                .overrideConfiguration(inTime(0))
                .build();
    }

    GetObjectRequest get(ObjectKey key, long position, int length) {
        return GetObjectRequest.builder()
                .bucket(config.bucket())
                .key(name(key))
                .range("bytes=" + position + "-" + (position + length - 1))
                .overrideConfiguration(inTime(length))
                .build();
    }

    ListObjectsV2Request list(String prefix, String startAfter, int limit) {
        ListObjectsV2Request.Builder request = ListObjectsV2Request.builder()
                .bucket(config.bucket())
                .prefix(config.prefix() + prefix)
                .maxKeys(limit)
                .overrideConfiguration(inTime(0));
        return startAfter.isEmpty()
                ? request.build()
                : request.startAfter(config.prefix() + startAfter).build();
    }

    DeleteObjectRequest delete(ObjectKey key) {
        return DeleteObjectRequest.builder()
                .bucket(config.bucket())
                .key(name(key))
                .overrideConfiguration(inTime(0))
                .build();
    }

    CreateMultipartUploadRequest beginUpload(ObjectKey key, String token) {
        return CreateMultipartUploadRequest.builder()
                .bucket(config.bucket())
                .key(name(key))
                .metadata(Map.of(TOKEN, token))
                .overrideConfiguration(inTime(0))
                .build();
    }

    /** Parts are numbered from 1. */
    UploadPartRequest part(ObjectKey key, String upload, int number, int bytes) {
        return UploadPartRequest.builder()
                .bucket(config.bucket())
                .key(name(key))
                .uploadId(upload)
                .partNumber(number)
                .contentLength((long) bytes)
                .overrideConfiguration(inTime(bytes))
                .build();
    }

    CompleteMultipartUploadRequest complete(ObjectKey key, String upload, List<CompletedPart> parts) {
        return CompleteMultipartUploadRequest.builder()
                .bucket(config.bucket())
                .key(name(key))
                .uploadId(upload)
                .ifNoneMatch(ONLY_IF_ABSENT)
                .multipartUpload(all -> all.parts(parts))
                .overrideConfiguration(inTime(0))
                .build();
    }

    AbortMultipartUploadRequest abort(ObjectKey key, String upload) {
        return AbortMultipartUploadRequest.builder()
                .bucket(config.bucket())
                .key(name(key))
                .uploadId(upload)
                .overrideConfiguration(inTime(0))
                .build();
    }
}

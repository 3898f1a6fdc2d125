package io.forebay.store.s3;

import io.forebay.model.Retry;
import io.forebay.store.s3.S3Failure.Meaning;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * What the answers of S3, and errors on the way, mean: one table. Thread-safe.
 *
 * <p>A status of 5xx says nothing about whether a write was done. Where an administrator has to act the message says what to do.
 */
final class S3Answers {

    private static final Set<String> BAD_KEYS = Set.of("InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken");
    private static final Set<String> OLD_KEYS = Set.of("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired");
    private static final Set<String> WRONG_REGION =
            Set.of("PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException");
    private static final Set<String> SLOW_DOWN =
            Set.of("SlowDown", "TooManyRequests", "RequestLimitExceeded", "Throttling", "ThrottlingException");

    private final S3Config config;
    /** Whether the store has answered before: then what looks like a wrong set-up may pass. */
    private volatile boolean answered;

    S3Answers(S3Config config) {
        this.config = config;
    }

    /** A request was granted. */
    void granted() {
        answered = true;
    }

    /**
     * What the failure means.
     *
     * @param action what was tried, for the message: "put 'a/b'"
     */
    S3Failure meaningOf(Throwable thrown, String action) {
        Throwable cause = Retry.unwrap(thrown);
        if (cause instanceof S3Failure known) {
            return known;
        }
        String failed = "cannot " + action + " in " + config.place() + ": ";
        if (cause instanceof AwsServiceException answer) {
            return ofAnswer(answer, failed);
        }
        String text = textOf(cause);
        if (cause instanceof SdkClientException && text.contains("credentials")) {
            Meaning meaning = answered ? Meaning.NO_ANSWER : Meaning.REFUSED;
            return new S3Failure(
                    meaning,
                    failed + "no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the"
                            + " machine a profile or a role (" + text + ")",
                    cause);
        }
        return new S3Failure(Meaning.NO_ANSWER, failed + text, cause);
    }

    private S3Failure ofAnswer(AwsServiceException answer, String failed) {
        String code = answer.awsErrorDetails() == null
                ? ""
                : String.valueOf(answer.awsErrorDetails().errorCode());
        String said = answer.awsErrorDetails() == null
                ? textOf(answer)
                : String.valueOf(answer.awsErrorDetails().errorMessage());
        String text = failed + "the store says " + answer.statusCode() + " " + code + ", " + said;
        if (SLOW_DOWN.contains(code)) {
            return new S3Failure(Meaning.THROTTLED, text, answer);
        }
        if (OLD_KEYS.contains(code) || code.equals("RequestTimeout")) {
            return new S3Failure(Meaning.NO_ANSWER, text, answer);
        }
        if (WRONG_REGION.contains(code)) {
            return new S3Failure(
                    Meaning.REFUSED, text + ". Is it in another region? Add region=REGION to the store's URI", answer);
        }
        return switch (answer.statusCode()) {
            case 404 -> missing(code, text, answer);
            case 412 -> new S3Failure(Meaning.TAKEN, text, answer);
            case 409 -> new S3Failure(Meaning.CONFLICT, text, answer);
            case 416 -> new S3Failure(Meaning.BEHIND_END, text, answer);
            case 429, 503 -> new S3Failure(Meaning.THROTTLED, text, answer);
            case 401, 403 -> new S3Failure(Meaning.REFUSED, text + ". " + adviceOnKeys(code), answer);
            case 501 ->
                new S3Failure(
                        Meaning.REFUSED,
                        text + ". Forebay needs 'If-None-Match: *' on PUT: does this store know it?",
                        answer);
            case 507 -> new S3Failure(Meaning.FULL, text, answer);
            default -> new S3Failure(answer.statusCode() >= 500 ? Meaning.NO_ANSWER : Meaning.REFUSED, text, answer);
        };
    }

    private static S3Failure missing(String code, String text, AwsServiceException answer) {
        return switch (code) {
            case "NoSuchBucket" ->
                new S3Failure(
                        Meaning.REFUSED,
                        text + ". Create the bucket, or correct its name in the store's URI: Forebay makes none",
                        answer);
            case "NoSuchUpload" -> new S3Failure(Meaning.UPLOAD_GONE, text, answer);
            default -> new S3Failure(Meaning.NOT_FOUND, text, answer);
        };
    }

    private static String adviceOnKeys(String code) {
        if (BAD_KEYS.contains(code)) {
            return "The credentials are wrong: look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile or role"
                    + " in use";
        }
        if (code.equals("RequestTimeTooSkewed")) {
            return "The clock of this machine is wrong: set it";
        }
        return "The credentials are known, but lack a permission: Forebay needs s3:GetObject, s3:PutObject,"
                + " s3:DeleteObject, s3:AbortMultipartUpload on the objects and s3:ListBucket on the bucket";
    }

    private static String textOf(Throwable cause) {
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}

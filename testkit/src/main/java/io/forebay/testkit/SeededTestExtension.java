package io.forebay.testkit;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Runs a {@link SeededTest} once per seed. */
final class SeededTestExtension implements TestTemplateInvocationContextProvider {

    static final String SEED_PROPERTY = "forebay.seed";

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        SeededTest test = AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), SeededTest.class)
                .orElseThrow();
        String only = System.getProperty(SEED_PROPERTY);
        LongStream seeds = only != null
                ? LongStream.of(Long.parseLong(only))
                : LongStream.concat(
                        LongStream.rangeClosed(1, test.fixed()), new SplittableRandom().longs(test.fresh()));
        return seeds.mapToObj(SeedInvocation::new);
    }

    /** The line a reader types to see this failure again. */
    static String replayLine(long seed, Class<?> testClass, String method) {
        return "replay: bin/test -Dsurefire.failIfNoSpecifiedTests=false -Dtest=" + testClass.getSimpleName() + "#"
                + method + " -D" + SEED_PROPERTY + "=" + seed;
    }

    private record SeedInvocation(long seed) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int invocationIndex) {
            return "seed " + seed;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new SeedParameter(seed), new ReplayLine(seed));
        }
    }

    private record SeedParameter(long seed) implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == long.class;
        }

        @Override
        public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return seed;
        }
    }

    private record ReplayLine(long seed) implements TestExecutionExceptionHandler {
        @Override
        public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
            String line = replayLine(
                    seed,
                    context.getRequiredTestClass(),
                    context.getRequiredTestMethod().getName());
            System.err.println(line);
            thrown.addSuppressed(new AssertionError(line));
            throw thrown;
        }
    }
}

package io.forebay.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test method that takes a {@code long seed} and runs once for each of several seeds: the fixed ones 1..{@link
 * #fixed} and some {@link #fresh} ones. When it fails, the line that replays exactly that seed is printed and is part
 * of the failure. {@code -Dforebay.seed=N} runs that seed alone.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(SeededTestExtension.class)
public @interface SeededTest {

    /** How many fixed seeds, from 1. */
    int fixed() default 20;

    /** How many seeds nobody has tried before. */
    int fresh() default 5;
}

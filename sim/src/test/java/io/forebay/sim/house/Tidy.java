package io.forebay.sim.house;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** What is looked at in one file. Pure but for {@link #deadLinks}, which asks whether the target of a link is there. */
final class Tidy {

    private static final Pattern LEFTOVER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");

    /** Paths of one machine, and places that packages come from: they belong to the reader's own settings. */
    private static final Pattern LOCAL = Pattern.compile("(?<![\\w./-])/(work|tmp/wt|root|home/\\w+)/"
            + "|\\.\\./sha" + "red/"
            + "|repo1?\\.maven\\.|registry\\.npm" + "js\\.|deb\\.deb" + "ian\\.org|security\\.deb" + "ian\\.org");

    private static final Pattern LINK = Pattern.compile("!?\\[[^\\]]*]\\(([^)\\s]+)(?:\\s+\"[^\"]*\")?\\)");

    private static final Pattern FENCED = Pattern.compile("(?ms)^(```|~~~).*?^\\1 *$");

    /** A sign says what a package is for; shorter ones only repeat its name. */
    private static final int MIN_SIGN_CHARS = 60;

    private Tidy() {}

    record Method(String name, int lines) {}

    /** Whether a package-info says what the package is for, and keeps nulls out. */
    static boolean isSign(String source) {
        int end = source.indexOf("*/");
        return source.startsWith("/**") && end >= MIN_SIGN_CHARS && source.indexOf("@NullMarked", end) > 0;
    }

    static List<String> leftovers(String text) {
        return LEFTOVER.matcher(text)
                .results()
                .map(hit -> line(text, hit.start()) + ": " + hit.group())
                .toList();
    }

    static List<String> localNames(String text) {
        return LOCAL.matcher(text)
                .results()
                .map(hit -> line(text, hit.start()) + ": " + hit.group())
                .toList();
    }

    /** The titles of a page, apart from what stands in code blocks. */
    static List<String> titles(String page) {
        return prose(page).lines().filter(line -> line.startsWith("# ")).toList();
    }

    /** Links to files that are not there. Links to other sites are not followed, nor are headings looked for. */
    static List<Path> deadLinks(Path page, String text) {
        return links(page, text).stream()
                .filter(target -> !Files.exists(target))
                .toList();
    }

    /** The files and folders that a page links to. */
    static List<Path> links(Path page, String text) {
        List<Path> targets = new ArrayList<>();
        Matcher matcher = LINK.matcher(prose(text).replaceAll("`[^`\n]*`", ""));
        while (matcher.find()) {
            String target = matcher.group(1).replaceFirst("#.*", "");
            boolean elsewhere = target.isEmpty() || target.matches("[a-z]+:.*");
            if (!elsewhere) {
                targets.add(page.resolveSibling(target).normalize());
            }
        }
        return targets;
    }

    private static String prose(String page) {
        return FENCED.matcher(page).replaceAll("");
    }

    private static int line(String text, int position) {
        return 1
                + (int) text.substring(0, position)
                        .chars()
                        .filter(c -> c == '\n')
                        .count();
    }

    /** The methods and constructors of a source, each with its length from its first annotation to its last brace. */
    static List<Method> methods(String name, String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavacTask task = (JavacTask)
                compiler.getTask(null, null, problem -> {}, List.of("-proc:none"), null, List.of(inMemory(source)));
        List<Method> methods = new ArrayList<>();
        try {
            for (CompilationUnitTree unit : task.parse()) {
                new MethodScanner(unit, Trees.instance(task), name, methods).scan(unit, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return methods;
    }

    private static JavaFileObject inMemory(String source) {
        return new SimpleJavaFileObject(URI.create("string:///Source.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }

    private static final class MethodScanner extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final Trees trees;
        private final String file;
        private final List<Method> found;

        MethodScanner(CompilationUnitTree unit, Trees trees, String file, List<Method> found) {
            this.unit = unit;
            this.trees = trees;
            this.file = file;
            this.found = found;
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            long first =
                    unit.getLineMap().getLineNumber(trees.getSourcePositions().getStartPosition(unit, method));
            long last =
                    unit.getLineMap().getLineNumber(trees.getSourcePositions().getEndPosition(unit, method));
            ClassTree owner = (ClassTree) getCurrentPath().getParentPath().getLeaf();
            found.add(new Method(
                    file + " " + owner.getSimpleName() + "." + method.getName(), Math.toIntExact(last - first + 1)));
            return super.visitMethod(method, null);
        }
    }
}

package io.forebay.sim.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sources and pages of the repository are tidy; and each check is seen to fail on a small text. */
class TidyTest {

    /** Beyond this a file or method is an error. STYLE asks for a look much earlier: see the report. */
    private static final int MAX_FILE_LINES = 1000;

    private static final int MAX_METHOD_LINES = 120;
    private static final int LONG_METHOD_LINES = 70;
    private static final int LONG_FILE_LINES = 400;

    private static final Set<String> WORDS =
            Set.of("java", "md", "xml", "proto", "properties", "sh", "js", "json", "txt");

    @Test
    void everyPackageHasItsSign() throws IOException {
        Set<Path> packages = new TreeSet<>();
        for (Path file : withEnding("java")) {
            if (file.toString().contains("/src/main/java/")) {
                packages.add(file.getParent());
            }
        }

        List<String> unsigned = new ArrayList<>();
        for (Path folder : packages) {
            Path sign = folder.resolve("package-info.java");
            boolean there = Files.exists(Repository.root().resolve(sign));
            if (!there || !Tidy.isSign(Repository.read(sign))) {
                unsigned.add(sign.toString());
            }
        }

        assertThat(packages).isNotEmpty();
        assertThat(unsigned)
                .as("missing, says next to nothing, or is without @NullMarked")
                .isEmpty();
    }

    @Test
    void filesAndMethodsAreNotTooLong() throws IOException {
        Map<String, Integer> files = new TreeMap<>();
        Map<String, Integer> methods = new TreeMap<>();
        for (Path file : withEnding("java")) {
            String source = Repository.read(file);
            files.put(file.toString(), (int) source.lines().count());
            for (Tidy.Method method : Tidy.methods(file.toString(), source)) {
                methods.merge(method.name(), method.lines(), Math::max);
            }
        }

        report("files of more than " + LONG_FILE_LINES + " lines", files, LONG_FILE_LINES);
        report("methods of more than " + LONG_METHOD_LINES + " lines", methods, LONG_METHOD_LINES);
        assertThat(methods).hasSizeGreaterThan(50);
        assertThat(longerThan(files, MAX_FILE_LINES)).isEmpty();
        assertThat(longerThan(methods, MAX_METHOD_LINES)).isEmpty();
    }

    @Test
    void nothingIsLeftForLater() throws IOException {
        assertThat(problems(words(), Tidy::leftovers)).isEmpty();
    }

    @Test
    void namesNoMachineAndNoRegistry() throws IOException {
        assertThat(problems(words(), Tidy::localNames)).isEmpty();
    }

    @Test
    void theRootHoldsOnlyWhatAVisitorExpects() throws IOException {
        List<String> atTheRoot = Repository.files().stream()
                .filter(file -> file.getNameCount() == 1)
                .map(Path::toString)
                .toList();

        assertThat(atTheRoot)
                .containsExactlyInAnyOrder(
                        ".gitignore",
                        "ARCHITECTURE.md",
                        "CHANGELOG.md",
                        "CONTRIBUTING.md",
                        "LICENSE",
                        "README.md",
                        "pom.xml");
    }

    @Test
    void pagesHaveOneTitle() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path page : withEnding("md")) {
            List<String> titles = Tidy.titles(Repository.read(page));
            if (titles.size() != 1) {
                wrong.add(page + ": " + titles);
            }
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    void linksBetweenPagesLeadSomewhere() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path page : withEnding("md")) {
            Path file = Repository.root().resolve(page);
            Tidy.deadLinks(file, Repository.read(page)).forEach(target -> dead.add(page + ": " + target));
        }

        assertThat(dead).isEmpty();
    }

    @Test
    void everyPageIsFoundFromAnother() throws IOException {
        Set<Path> linked = new TreeSet<>(Set.of(Repository.root().resolve("README.md")));
        Set<Path> pages = new TreeSet<>();
        for (Path page : withEnding("md")) {
            Path file = Repository.root().resolve(page);
            pages.add(file);
            linked.addAll(Tidy.links(file, Repository.read(page)));
        }

        assertThat(linked).containsAll(pages);
    }

    @Test
    void checksFindWhatTheyLookFor(@TempDir Path folder) throws IOException {
        Path page = Files.writeString(folder.resolve("page.md"), "");
        String code = "\n```\n# no title, [no](link.md)\n```\n";

        assertThat(Tidy.isSign("/** The cellar. */\n@NullMarked\npackage cellar;"))
                .isFalse();
        assertThat(Tidy.isSign("/** " + "What this room is for. ".repeat(4) + "*/\npackage cellar;"))
                .isFalse();
        assertThat(Tidy.leftovers("fine\n// TO" + "DO: later")).containsExactly("2: TO" + "DO");
        assertThat(Tidy.localNames("cd /wo" + "rk/main")).hasSize(1);
        assertThat(Tidy.localNames("see ../sha" + "red/x, https://registry.npm" + "js.org/y"))
                .hasSize(2);
        assertThat(Tidy.localNames("docs/work/main is a path of ours")).isEmpty();
        assertThat(Tidy.titles("# one\n## no\n# two" + code)).containsExactly("# one", "# two");
        assertThat(Tidy.deadLinks(page, "[a](gone.md#part) [b](page.md#part) [c](https://x.org) [d](#here)" + code))
                .containsExactly(folder.resolve("gone.md"));
        assertThat(Tidy.methods(
                        "F", "class A {\n  @Deprecated\n  void f() {\n  }\n  class B { int g() { return 1; } }\n}"))
                .containsExactly(new Tidy.Method("F A.f", 3), new Tidy.Method("F B.g", 1));
    }

    private static List<String> problems(List<Path> files, Function<String, List<String>> check) throws IOException {
        List<String> problems = new ArrayList<>();
        for (Path file : files) {
            check.apply(Repository.read(file)).forEach(problem -> problems.add(file + ":" + problem));
        }
        return problems;
    }

    private static List<Path> withEnding(String ending) throws IOException {
        return Repository.files().stream()
                .filter(file -> ending(file).equals(ending))
                .toList();
    }

    /** All files with words in them: by their ending, or without one, like the scripts in bin. */
    private static List<Path> words() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path file : Repository.files()) {
            if ((WORDS.contains(ending(file)) || ending(file).isEmpty()) && Repository.isText(file)) {
                files.add(file);
            }
        }
        return files;
    }

    private static String ending(Path file) {
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(dot + 1);
    }

    private static Collection<String> longerThan(Map<String, Integer> sizes, int limit) {
        return sizes.entrySet().stream()
                .filter(size -> size.getValue() > limit)
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(size -> size.getValue() + " " + size.getKey())
                .toList();
    }

    private static void report(String title, Map<String, Integer> sizes, int limit) {
        System.out.println(title + ":");
        longerThan(sizes, limit).forEach(line -> System.out.println("  " + line));
    }
}

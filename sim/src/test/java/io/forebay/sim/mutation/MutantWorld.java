package io.forebay.sim.mutation;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The simulator and the product in a class loader of their own, with some source files changed and compiled anew. */
final class MutantWorld implements AutoCloseable {

    private final URLClassLoader loader;

    private MutantWorld(URLClassLoader loader) {
        this.loader = loader;
    }

    /** Breaks the product as the mutation says; compiled classes go to the folder. */
    static MutantWorld of(Mutation mutation, Path folder) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Mutation.Edit edit : mutation.edits()) {
            String text = texts.get(edit.source());
            if (text == null) {
                text = Files.readString(root().resolve(edit.source()));
            }
            int at = text.indexOf(edit.correct());
            if (at < 0 || text.indexOf(edit.correct(), at + 1) >= 0) {
                throw new IllegalStateException("'" + edit.correct() + "' does not stand once in " + edit.source()
                        + ": the mutation must follow the source");
            }
            texts.put(edit.source(), text.replace(edit.correct(), edit.broken()));
        }
        Path classes = Files.createDirectories(folder.resolve("classes"));
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> arguments =
                new ArrayList<>(List.of("-nowarn", "-proc:none", "-d", classes.toString(), "-cp", classPath));
        for (Map.Entry<String, String> text : texts.entrySet()) {
            Path mutant = folder.resolve(Path.of(text.getKey()).getFileName());
            Files.writeString(mutant, text.getValue());
            arguments.add(mutant.toString());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int result = compiler.run(null, null, null, arguments.toArray(new String[0]));
        if (result != 0) {
            throw new IllegalStateException("the mutant '" + mutation.name() + "' does not compile");
        }
        List<URL> urls = new ArrayList<>();
        urls.add(url(classes));
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            urls.add(url(Path.of(entry)));
        }
        return new MutantWorld(new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader()));
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("log/src/main"))) {
            folder = Optional.ofNullable(folder.getParent())
                    .orElseThrow(() -> new IllegalStateException("the sources are not above the working folder"));
        }
        return folder;
    }

    /** Runs a seed; what the run complained of, or empty if it noticed nothing. */
    Optional<Throwable> run(long seed, long chaosMs) throws ReflectiveOperationException {
        try {
            Object unused = loader.loadClass("io.forebay.sim.SeedRun")
                    .getMethod("run", long.class, long.class)
                    .invoke(null, seed, chaosMs);
            return Optional.empty();
        } catch (InvocationTargetException broken) {
            return Optional.of(broken.getTargetException());
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}

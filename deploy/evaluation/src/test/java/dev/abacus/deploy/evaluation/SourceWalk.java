package dev.abacus.deploy.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A copy of the product's sources that a test changes, compiles and runs.
 *
 * @param sources the copy
 * @param classes its compiled classes
 */
record SourceWalk(Path sources, Path classes) {

  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final List<String> MODULES =
      List.of(
          "schemas", "topology", "optimizer-service", "deploy/simulator", "deploy/command-line");
  private static final List<String> ROOTS =
      List.of("src/main/java", "target/generated-sources/annotations");

  /** Copies the sources, with those that the build generated, below a folder. */
  static SourceWalk in(Path folder) throws IOException {
    SourceWalk walk =
        new SourceWalk(
            folder.resolve("sources"), Files.createDirectories(folder.resolve("classes")));
    for (String module : MODULES) {
      for (String root : ROOTS) {
        walk.copy(ROOT.resolve(module).resolve(root));
      }
    }
    return walk;
  }

  private void copy(Path root) throws IOException {
    if (Files.notExists(root)) {
      return; // a module without generated sources
    }
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        Path target = sources.resolve(root.relativize(file).toString());
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        Files.copy(file, target);
      }
    }
  }

  /** Adds a file of the test resources in {@code walk}. */
  void add(String folder, String name) throws IOException {
    Path target = sources.resolve(folder).resolve(name);
    Files.createDirectories(Objects.requireNonNull(target.getParent()));
    String resource = "walk/" + name + ".txt";
    try (InputStream in =
        Objects.requireNonNull(SourceWalk.class.getResourceAsStream(resource), resource)) {
      Files.write(target, in.readAllBytes());
    }
  }

  /** Replaces a text in a file, which must have it. */
  void replace(String file, String old, String replacement) throws IOException {
    Path path = sources.resolve(file);
    String text = Files.readString(path);
    assertThat(text).as(file).contains(old);
    Files.writeString(path, text.replace(old, replacement));
  }

  /** Compiles the copy and returns the errors, each as {@code FILE: MESSAGE}. */
  List<String> compile() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    try (StandardJavaFileManager files =
            compiler.getStandardFileManager(diagnostics, null, StandardCharsets.UTF_8);
        Stream<Path> all = Files.walk(sources)) {
      List<Path> units = all.filter(path -> path.toString().endsWith(".java")).toList();
      StringWriter out = new StringWriter();
      compiler
          .getTask(
              out,
              files,
              diagnostics,
              List.of(
                  "-proc:none",
                  "-nowarn",
                  // Report every place, not those of one class.
                  "-XDcompilePolicy=simple",
                  "--should-stop=ifError=FLOW",
                  "-parameters",
                  "-d",
                  classes.toString(),
                  "-cp",
                  String.join(File.pathSeparator, libraries())),
              null,
              files.getJavaFileObjectsFromPaths(units))
          .call();
    }
    List<String> errors = new ArrayList<>();
    for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
      if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
        JavaFileObject source = diagnostic.getSource();
        errors.add(
            "%s: %s"
                .formatted(
                    source == null ? "?" : Path.of(source.toUri()).getFileName(),
                    diagnostic.getMessage(Locale.ROOT)));
      }
    }
    return errors;
  }

  /** The class path without the project's own classes. */
  private static List<String> libraries() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar") && !entry.contains("abacus-"))
        .toList();
  }

  /** Runs a class of {@code walk} with the compiled copy instead of the product's classes. */
  String use(String name) throws Exception {
    List<URL> path = new ArrayList<>(List.of(classes.toUri().toURL()));
    for (String module : MODULES) {
      path.add(ROOT.resolve(module).resolve("src/main/resources").toUri().toURL());
    }
    for (String library : libraries()) {
      path.add(Path.of(library).toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      return loader.loadClass("dev.abacus.walk." + name).getMethod("run").invoke(null).toString();
    }
  }
}

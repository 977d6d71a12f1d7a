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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Adds a technique to a copy of the sources and compiles it. The steps here are the list under "Add
 * a technique" in CONTRIBUTING.md; a step that this test does not need must not be in that list,
 * and the other way round.
 */
class TechniqueWalkTest {

  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final List<String> MODULES = List.of("schemas", "topology", "optimizer-service");

  private static final String PHYSICAL_OPERATOR = "dev/abacus/schemas/plan/PhysicalOperator.java";
  private static final String RUNTIME =
      "dev/abacus/topology/operator/technique/OperatorRuntime.java";
  private static final String RULES =
      "dev/abacus/optimizer/search/rule/implementation/ImplementationRules.java";

  @TempDir Path sources;
  @TempDir Path classes;

  @BeforeEach
  void copySources() throws IOException {
    for (String module : MODULES) {
      Path main = ROOT.resolve(module).resolve("src/main/java");
      try (Stream<Path> files = Files.walk(main)) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          Path target = sources.resolve(main.relativize(file).toString());
          Files.createDirectories(Objects.requireNonNull(target.getParent()));
          Files.copy(file, target);
        }
      }
    }
  }

  @Test
  void aRecordAloneDoesNotCompileAndTheCompilerNamesThePlaces() throws IOException {
    addRecord();

    assertThat(compile())
        .isNotEmpty()
        .allSatisfy(error -> assertThat(error).startsWith("OperatorRuntime.java: "));
  }

  @Test
  void theListedStepsAddATechniqueThatIsEnumeratedAndRuns() throws Exception {
    addRecord();
    addExecutor();
    addRule();
    add("dev/abacus/walk", "UseRepeatedCall.java");

    assertThat(compile()).isEmpty();
    assertThat(use())
        .isEqualTo(
            "[[repeated-call(gpt-4o-mini,n=2), repeated-call(gpt-4o-mini,n=3)],"
                + " repeated-call(gpt-4o-mini,n=3), call 3]");
  }

  private void addRecord() throws IOException {
    add("dev/abacus/schemas/plan", "RepeatedCall.java");
    replace(
        PHYSICAL_OPERATOR,
        "@JsonSubTypes({\n",
        "@JsonSubTypes({\n  @JsonSubTypes.Type(RepeatedCall.class),\n");
    replace(
        PHYSICAL_OPERATOR,
        "        MixtureOfAgents,\n",
        "        MixtureOfAgents,\n        RepeatedCall,\n");
  }

  private void addExecutor() throws IOException {
    add("dev/abacus/topology/operator/technique", "RepeatedCallExecutor.java");
    replace(
        RUNTIME,
        "return switch (technique) {\n      case ModelSelection",
        """
        return switch (technique) {
              case dev.abacus.schemas.plan.RepeatedCall repeated ->
                  new RepeatedCallExecutor().execute(operator, repeated, document, client);
              case ModelSelection\
        """);
  }

  private void addRule() throws IOException {
    add("dev/abacus/optimizer/search/rule/implementation", "ImplementWithRepeatedCall.java");
    replace(
        RULES,
        "new ImplementWithModelSelection(),",
        "new ImplementWithModelSelection(),\n          new ImplementWithRepeatedCall(),");
  }

  private void add(String folder, String name) throws IOException {
    Path target = sources.resolve(folder).resolve(name);
    Files.createDirectories(Objects.requireNonNull(target.getParent()));
    String resource = "walk/" + name + ".txt";
    try (InputStream in =
        Objects.requireNonNull(TechniqueWalkTest.class.getResourceAsStream(resource), resource)) {
      Files.write(target, in.readAllBytes());
    }
  }

  private void replace(String file, String old, String replacement) throws IOException {
    Path path = sources.resolve(file);
    String text = Files.readString(path);
    assertThat(text).as(file).contains(old);
    Files.writeString(path, text.replace(old, replacement));
  }

  /** Compiles the copy and returns the errors, each as {@code FILE: MESSAGE}. */
  private List<String> compile() throws IOException {
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

  /** Runs {@code UseRepeatedCall} with the compiled copy instead of the product's classes. */
  private String use() throws Exception {
    List<URL> path = new ArrayList<>(List.of(classes.toUri().toURL()));
    for (String module : MODULES) {
      path.add(ROOT.resolve(module).resolve("src/main/resources").toUri().toURL());
    }
    for (String library : libraries()) {
      path.add(Path.of(library).toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      return loader
          .loadClass("dev.abacus.walk.UseRepeatedCall")
          .getMethod("run")
          .invoke(null)
          .toString();
    }
  }
}

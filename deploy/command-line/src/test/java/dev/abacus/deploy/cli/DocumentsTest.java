package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Links of all pages lead somewhere, and the commands in them are commands of this version. */
class DocumentsTest {

  private static final Path ROOT = Path.of("../..");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern COMMAND =
      Pattern.compile("^(?:[A-Z_]+=\\S+ )*(?:\\./|bin/)?abacus ([a-z].*)$");

  /** Commands of the module of benchmarks. */
  private static final Set<String> EVALUATION = Set.of("bench", "experiment", "dataset");

  @TestFactory
  Stream<DynamicTest> everyLinkLeadsToAFileAndAHeading() throws IOException {
    return pages().stream()
        .map(page ->
            DynamicTest.dynamicTest(
                ROOT.relativize(page).toString(), () -> assertThat(broken(page)).isEmpty()));
  }

  @Test
  void everyPageOfTheDocumentationIsListedInTheReadme() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
      assertThat(files.filter(file -> file.toString().endsWith(".md")))
          .allSatisfy(file -> assertThat(readme).contains("docs/" + file.getFileName()));
    }
  }

  /** The example is compiled, and EmbeddedWorkerIT runs it. */
  @Test
  void theJavaOfTheDocumentationIsThatOfTheExample() throws IOException {
    String example =
        withoutIndentation(
            Files.readString(
                Path.of("src/test/java/dev/abacus/deploy/embedded/TriageApplication.java")));
    Matcher blocks =
        Pattern.compile("(?s)```java\n(.*?)```")
            .matcher(Files.readString(ROOT.resolve("docs/java.md")));
    int count = 0;
    for (; blocks.find(); count++) {
      assertThat(example).contains(withoutIndentation(blocks.group(1)));
    }
    assertThat(count).isEqualTo(2);
  }

  @Test
  void theDependencyOfTheDocumentationIsTheModuleOfThisVersion() throws IOException {
    Pattern coordinates =
        Pattern.compile(
            "<groupId>(.*?)</groupId>\\s*<artifactId>(abacus.*?)</artifactId>\\s*<version>(.*?)</version>");
    Matcher java = coordinates.matcher(Files.readString(ROOT.resolve("docs/java.md")));
    Matcher pom = coordinates.matcher(Files.readString(ROOT.resolve("pom.xml")));

    assertThat(java.find() && pom.find()).isTrue();
    assertThat(java.group(1)).isEqualTo(pom.group(1));
    assertThat(java.group(2)).isEqualTo("abacus-topology");
    assertThat(java.group(3)).isEqualTo(pom.group(3));
  }

  private static String withoutIndentation(String code) {
    return code.replaceAll("(?m)^ +", "").strip();
  }

  /**
   * Each section begins with the head of its programs. A query has a program or says why it has
   * none.
   */
  @TestFactory
  Stream<DynamicTest> everyQueryOfSemBenchIsAValidProgramOrSaysWhyNot() throws IOException {
    Pattern block = Pattern.compile("(?s)```yaml\n(.*?)```");
    ProgramParser parser = new ProgramParser(ModelCatalogue.builtIn());
    List<DynamicTest> tests = new ArrayList<>();
    for (String section : Files.readString(ROOT.resolve("docs/sembench.md")).split("\n## ", -1)) {
      String[] queries = section.split("\n\\*\\*Q", -1);
      Matcher head = block.matcher(queries[0]);
      for (int i = 1; i < queries.length && head.reset().find(); i++) {
        String query = queries[i];
        Matcher operators = block.matcher(query);
        String program =
            operators.find()
                ? "program: query\n%soperators:\n%s".formatted(head.group(1), operators.group(1))
                : null;
        tests.add(
            DynamicTest.dynamicTest(
                section.lines().findFirst().orElseThrow()
                    + " Q"
                    + query.lines().findFirst().orElseThrow(),
                () -> {
                  if (program == null) {
                    assertThat(query).contains("not a program");
                  } else {
                    parser.parse(program);
                  }
                }));
      }
    }
    assertThat(tests).hasSize(55);
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> everyCommandIsAcceptedByTheCommandLine() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path page : pages()) {
      for (String command : commands(page)) {
        tests.add(
            DynamicTest.dynamicTest(
                ROOT.relativize(page) + ": " + command, () -> requireAccepted(command)));
      }
    }
    assertThat(tests).hasSizeGreaterThan(30);
    return tests.stream();
  }

  @Test
  void everyCommandIsInTheDocumentation() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/operations.md"));
    assertThat(Abacus.commandLine().getSubcommands().keySet())
        .filteredOn(command -> !EVALUATION.contains(command) && !command.equals("help"))
        .hasSizeGreaterThan(20)
        .allSatisfy(command -> assertThat(page).containsPattern("`" + command + "[ `]"));
  }

  private static void requireAccepted(String command) {
    List<String> words = words(command);
    CommandLine line = Abacus.commandLine();
    try {
      line.parseArgs(words.toArray(String[]::new));
    } catch (ParameterException e) {
      throw new AssertionError(command + ": " + e.getMessage(), e);
    }
  }

  /** Lines of shell blocks that start the command line, without placeholders. */
  private static List<String> commands(Path page) throws IOException {
    List<String> commands = new ArrayList<>();
    boolean shell = false;
    String pending = "";
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith("```")) {
        shell = line.equals("```sh") || line.equals("```sh runnable");
        pending = "";
      } else if (shell) {
        String whole = pending + line.strip();
        if (whole.endsWith("\\")) {
          pending = whole.substring(0, whole.length() - 1);
          continue;
        }
        pending = "";
        Matcher matcher = COMMAND.matcher(whole.replaceAll("\\s+#.*", ""));
        if (matcher.matches()
            && !matcher.group(1).matches(".*[\\[…|<>].*")
            && !EVALUATION.contains(matcher.group(1).split(" ", 2)[0])) {
          commands.add(matcher.group(1));
        }
      }
    }
    return commands;
  }

  /** Splits like a shell, with double and single quotes. */
  static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher matcher = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)").matcher(command);
    while (matcher.find()) {
      words.add(
          Objects.requireNonNullElse(
              matcher.group(1), Objects.requireNonNullElse(matcher.group(2), matcher.group())));
    }
    return words;
  }

  private static Set<String> broken(Path page) throws IOException {
    Set<String> broken = new TreeSet<>();
    Matcher links = LINK.matcher(withoutCode(Files.readString(page)));
    while (links.find()) {
      String link = links.group(1);
      if (link.matches("[a-z]+:.*")) {
        continue;
      }
      int hash = link.indexOf('#');
      String file = hash < 0 ? link : link.substring(0, hash);
      Path target =
          file.isEmpty()
              ? page
              : Objects.requireNonNull(page.getParent()).resolve(file).normalize();
      if (!Files.exists(target)
          || (hash >= 0 && !anchors(target).contains(link.substring(hash + 1)))) {
        broken.add(link);
      }
    }
    return broken;
  }

  private static String withoutCode(String text) {
    return text.replaceAll("(?s)```.*?```", "").replaceAll("`[^`\n]*`\\(", "(");
  }

  /** The anchors of headings, as code hosts make them. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new TreeSet<>();
    for (String line : withoutCode(Files.readString(page)).split("\n", -1)) {
      if (line.startsWith("#")) {
        anchors.add(
            line.replaceFirst("^#+ ", "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-'));
      }
    }
    return anchors;
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT, 4)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !file.toString().matches(".*/(target|docs/log|\\.git)/.*"))
          .filter(file -> !file.endsWith("CHANGELOG.md"))
          .sorted()
          .toList();
    }
  }
}

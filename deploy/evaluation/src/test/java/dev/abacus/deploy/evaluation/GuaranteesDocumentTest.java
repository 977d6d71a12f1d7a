package dev.abacus.deploy.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/guarantees.md} names tests that exist. */
class GuaranteesDocumentTest {

  private static final Path ROOT = Path.of("../..");
  private static final List<String> MODULES =
      List.of(
          "schemas", "topology", "optimizer-service", "deploy/command-line", "deploy/evaluation");
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))(?:#(\\w+))?`");

  @Test
  void everyNamedTestExists() throws IOException {
    List<MatchResult> named = TEST.matcher(document()).results().toList();
    Map<String, Path> tests = tests();

    assertThat(named).hasSizeGreaterThan(20);
    assertThat(named)
        .allSatisfy(name -> {
          assertThat(tests).containsKey(name.group(1));
          if (name.group(2) != null) {
            assertThat(Files.readString(tests.get(name.group(1))))
                .containsPattern("void " + name.group(2) + "\\(");
          }
        });
  }

  @Test
  void everyGuaranteeNamesATest() throws IOException {
    List<String> rows =
        document()
            .lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| guarantee"))
            .toList();

    assertThat(rows).hasSizeGreaterThan(10).allMatch(row -> TEST.matcher(row).find());
  }

  private static String document() throws IOException {
    return Files.readString(ROOT.resolve("docs/guarantees.md"));
  }

  private static Map<String, Path> tests() throws IOException {
    Map<String, Path> tests = new HashMap<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(file -> tests.put(file.toFile().getName().replace(".java", ""), file));
      }
    }
    return tests;
  }
}

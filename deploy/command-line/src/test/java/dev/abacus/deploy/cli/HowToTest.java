package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the pages of docs/how-to say works, as far as it needs no broker. */
class HowToTest {

  static final Path PAGES = Path.of("../../docs/how-to");
  private static final Pattern FILE = Pattern.compile("(?s)cat > (\\S+) <<'END'\n(.*?\n)END\n");
  private static final Pattern COMMAND =
      Pattern.compile("(?m)^`?\\./abacus ((?:init|validate|estimate) [^`\n]*)");
  private static final Pattern PROGRAM = Pattern.compile("(?s)```yaml\n(program:.*?)```");

  @TempDir Path folder;

  @Test
  void theFilesOfAPageFitAndItsCommandsSucceed() throws IOException {
    String page = Files.readString(PAGES.resolve("own-documents.md"));
    List<String> names = new ArrayList<>(writeFiles(folder));
    names.add("starter.yaml");
    Matcher commands = COMMAND.matcher(page);
    int count = 0;
    for (; commands.find(); count++) {
      String[] words =
          Stream.of(commands.group(1).strip().split(" "))
              .map(word -> names.contains(word) ? folder.resolve(word).toString() : word)
              .toArray(String[]::new);
      CommandLine line = Abacus.commandLine();
      assertThat(line.execute(words)).as(commands.group(1)).isZero();
    }
    assertThat(names).hasSize(4);
    assertThat(count).isEqualTo(3);
    assertThat(folder.resolve("starter.yaml")).exists();
  }

  @Test
  void theCommandsOfTheTutorialThatNeedNoBrokerSucceed() throws IOException {
    Matcher commands = COMMAND.matcher(Files.readString(PAGES.resolve("../tutorial.md")));
    int count = 0;
    for (; commands.find(); count++) {
      String[] words =
          Stream.of(commands.group(1).strip().split(" "))
              .map(word -> word.replace("/tmp/", folder + "/"))
              .map(word -> word.startsWith("deploy/") ? "../../" + word : word)
              .toArray(String[]::new);
      assertThat(Abacus.commandLine().execute(words)).as(commands.group(1)).isZero();
    }
    assertThat(count).isEqualTo(3);
    assertThat(folder.resolve("tickets.yaml")).exists();
  }

  /** Writes the files of own-documents.md, as its commands do; their names. */
  static List<String> writeFiles(Path folder) throws IOException {
    Matcher files = FILE.matcher(Files.readString(PAGES.resolve("own-documents.md")));
    List<String> names = new ArrayList<>();
    while (files.find()) {
      names.add(files.group(1));
      Files.writeString(folder.resolve(files.group(1)), files.group(2));
    }
    return names;
  }

  @Test
  void everyProgramOfThePagesIsValidAndEveryPageIsInTheReadme() throws Exception {
    String readme = Files.readString(Path.of("../../README.md"));
    int programs = 0;
    try (Stream<Path> pages = Files.list(PAGES)) {
      for (Path page : pages.toList()) {
        assertThat(readme).contains("docs/how-to/" + page.getFileName());
        Matcher blocks = PROGRAM.matcher(Files.readString(page));
        for (; blocks.find(); programs++) {
          assertThat(new ProgramParser(ModelCatalogue.builtIn()).parse(blocks.group(1)))
              .isNotNull();
        }
      }
    }
    assertThat(programs).isPositive();
  }
}

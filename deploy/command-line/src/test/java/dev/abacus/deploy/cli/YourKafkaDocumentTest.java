package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/your-kafka.md} describes the topics that are created and the alerts that exist. */
class YourKafkaDocumentTest {

  private static final Path DOCUMENT = Path.of("../../docs/your-kafka.md");
  private static final int PARTITIONS = 7;

  @Test
  void theTableOfTopicsIsThatOfTheCode() throws Exception {
    Map<String, List<String>> documented = new TreeMap<>();
    for (List<String> cells : table("## Topics")) {
      documented.put(cells.getFirst().replace("`", ""), cells.subList(1, 5));
    }
    Map<String, List<String>> actual = new TreeMap<>();
    specs().forEach(spec -> actual.put(spec.name().replace("adverse-reactions", "<p>"), of(spec)));

    assertThat(documented).isEqualTo(actual);
  }

  @Test
  void theRunbookHasARowForEachAlert() throws IOException {
    List<String> rows =
        table("## Runbook").stream().map(row -> row.getFirst().replace("`", "")).toList();
    List<String> alerts = new ArrayList<>();
    Matcher matcher =
        Pattern.compile("alert: (\\w+)")
            .matcher(Files.readString(Path.of("../dashboards/alerts.yaml")));
    while (matcher.find()) {
      alerts.add(matcher.group(1));
    }
    assertThat(rows).isEqualTo(alerts).isNotEmpty();
  }

  /** The created topics of a program with a reference, without its results. */
  private static List<TopicSpec> specs() throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(Files.readString(Path.of("../examples/adverse-reactions/program.yaml")));
    List<TopicSpec> specs = new ArrayList<>(TopicSpec.shared(KafkaNames.UNPREFIXED));
    TopicSpec.of(KafkaNames.UNPREFIXED, program, PARTITIONS).stream()
        .filter(spec -> !spec.name().equals(program.results().topic()))
        .forEach(specs::add);
    specs.add(TopicSpec.ofJourneys(KafkaNames.UNPREFIXED, program.name()));
    specs.add(TopicSpec.ofReplayed(KafkaNames.UNPREFIXED, program.name()));
    String reference = program.references().getFirst().name();
    TopicSpec embedded =
        TopicSpec.ofReference(KafkaNames.UNPREFIXED, program, program.references().getFirst(), 1);
    specs.add(
        new TopicSpec(
            embedded.name().replace("." + reference + ".", ".<reference>."),
            embedded.partitions(),
            embedded.settings()));
    return specs;
  }

  /** A worker or an optimizer with a wrong clock loses none of what it writes to them. */
  @Test
  void theyHaveTheTimeOfTheBroker() throws Exception {
    assertThat(Files.readString(DOCUMENT))
        .contains("All of these topics but results have `message.timestamp.type=LogAppendTime`");
    assertThat(specs())
        .allSatisfy(spec ->
            assertThat(spec.settings()).containsEntry("message.timestamp.type", "LogAppendTime"));
  }

  private static List<String> of(TopicSpec spec) {
    String policy = spec.settings().get("cleanup.policy");
    String retention = spec.settings().get("retention.ms");
    String segment = spec.settings().get("segment.ms");
    return List.of(
        spec.name().endsWith(".embedded")
            ? "reference"
            : spec.partitions() == PARTITIONS ? "source" : String.valueOf(spec.partitions()),
        Objects.requireNonNullElse(policy, "default"),
        retention == null
            ? policy == null ? "default" : "none"
            : retention.equals("-1")
                ? "unlimited"
                : text(Duration.ofMillis(Long.parseLong(retention))),
        segment == null ? "default" : text(Duration.ofMillis(Long.parseLong(segment))));
  }

  private static String text(Duration duration) {
    String text =
        duration.toDays() > 0
            ? duration.toDays() + " days"
            : duration.toHours() > 0
                ? duration.toHours() + " hours"
                : duration.toMinutes() + " minutes";
    return text.startsWith("1 ") ? text.substring(0, text.length() - 1) : text;
  }

  /** The cells of the first table below a heading. */
  private static List<List<String>> table(String heading) throws IOException {
    return Files.readAllLines(DOCUMENT).stream()
        .dropWhile(line -> !line.equals(heading))
        .dropWhile(line -> !line.startsWith("|---"))
        .skip(1)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
        .map(cells -> cells.subList(1, cells.size() - 1))
        .toList();
  }
}

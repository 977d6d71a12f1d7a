package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.schemas.avro.AvroSerdeConfig;
import dev.abacus.topology.WorkerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;

/** {@code docs/settings.md} says of every setting what the code does. */
class SettingsDocumentTest {

  private static final Path DOCUMENT = Path.of("../../docs/settings.md");

  @Test
  void everySettingOfAWorkerIsDocumentedWithItsDefault() throws IOException {
    assertThat(table("## Worker")).containsExactlyElementsOf(rows(WorkerConfig.DEFINITION));
  }

  @Test
  void everySettingOfAnOptimizerIsDocumentedWithItsDefault() throws IOException {
    assertThat(table("## Optimizer")).containsExactlyElementsOf(rows(OptimizerConfig.DEFINITION));
  }

  @Test
  void everySettingOfTheAvroSerdeIsDocumentedWithItsDefault() throws IOException {
    assertThat(table("## Avro"))
        .containsExactlyElementsOf(
            rows(AvroSerdeConfig.DEFINITION).stream()
                // Kafka's own, under a prefix.
                .filter(row -> !row.contains("schema.registry.ssl."))
                .toList());
  }

  /** The rows of the first table below a heading. */
  private static List<String> table(String heading) throws IOException {
    return Files.readAllLines(DOCUMENT).stream()
        .dropWhile(line -> !line.equals(heading))
        .dropWhile(line -> !line.startsWith("|---"))
        .skip(1)
        .takeWhile(line -> line.startsWith("|"))
        .toList();
  }

  private static List<String> rows(ConfigDef definition) {
    return definition.configKeys().values().stream()
        .sorted(Comparator.comparing(key -> key.name))
        .map(key -> "| `%s` | %s | %s |".formatted(key.name, ofDefault(key), key.documentation))
        .toList();
  }

  private static String ofDefault(ConfigKey key) {
    if (!key.hasDefault()) {
      return "required";
    }
    String text =
        switch (key.defaultValue) {
          case null -> "";
          case Password _ -> "";
          case Collection<?> values ->
              values.stream().map(String::valueOf).collect(Collectors.joining(","));
          case Object value -> value.toString();
        };
    return text.isEmpty() ? "" : "`" + text + "`";
  }
}

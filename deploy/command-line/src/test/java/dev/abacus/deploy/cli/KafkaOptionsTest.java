package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.KafkaOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class KafkaOptionsTest {

  private static Map<String, String> settings(Map<String, String> environment, String... words) {
    KafkaOptions options = new KafkaOptions();
    new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("kafka", CommandLine.Model.CommandSpec.forAnnotatedObject(options)))
        .parseArgs(words);
    return options.settings(environment);
  }

  @Test
  void variablesNameProperties() {
    assertThat(settings(Map.of("ABACUS_KAFKA_SECURITY_PROTOCOL", "SASL_SSL", "OTHER", "x")))
        .containsExactly(Map.entry("security.protocol", "SASL_SSL"));
  }

  @Test
  void whatIsNearerToTheCommandWins(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("client.properties");
    Files.writeString(file, "bootstrap.servers=file:1\nclient.id=file\nlinger.ms=1\n");

    Map<String, String> settings =
        settings(
            Map.of("ABACUS_KAFKA_BOOTSTRAP_SERVERS", "variable:1", "ABACUS_KAFKA_CLIENT_ID", "v"),
            "--command-config",
            file.toString(),
            "-X",
            "client.id=option",
            "--bootstrap-server",
            "option:1");

    assertThat(settings)
        .containsEntry("bootstrap.servers", "option:1")
        .containsEntry("client.id", "option")
        .containsEntry("linger.ms", "1");
  }

  @Test
  void theRegistryIsAPropertyToo() {
    assertThat(
            settings(
                Map.of("ABACUS_SCHEMA_REGISTRY_URL", "http://a"), "--schema-registry", "http://b"))
        .containsEntry("schema.registry.url", "http://b");
  }

  @Test
  void thePrefixMayBeAVariableAndIsChecked() {
    assertThat(settings(Map.of("ABACUS_PREFIX", "team-a.")))
        .containsEntry("abacus.prefix", "team-a.");
    assertThatThrownBy(() -> settings(Map.of(), "-X", "abacus.prefix=team a"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("abacus.prefix is 'team a'");
  }

  @Test
  void aMissingFileOfPropertiesIsInvalidInput() {
    assertThatThrownBy(() -> settings(Map.of(), "--command-config", "no-such.properties"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("no-such.properties");
  }
}

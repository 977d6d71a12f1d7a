package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.schemas.monitor.Metric;
import dev.abacus.topology.WorkerConfig;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import picocli.CommandLine;

/** Compose file, chart, image and configuration name what exists in the product. */
class DeploymentFilesTest {

  private static final Path DEPLOY = Path.of("..");
  private static final Path COMPOSE = DEPLOY.resolve("compose");
  private static final Path CHART = DEPLOY.resolve("helm/abacus");
  private static final Path CONF = DEPLOY.resolve("distribution/src/conf");

  @Test
  void imagesAreNamedInOneFileWithoutARegistry() throws IOException {
    Map<String, String> names = environment();
    for (Map.Entry<String, Map<?, ?>> service : services().entrySet()) {
      Object image = service.getValue().get("image");
      if (image != null) {
        assertThat(image.toString()).as(service.getKey()).matches("\\$\\{[A-Z_]+_IMAGE}");
      }
    }
    names.forEach((name, image) -> {
      if (name.endsWith("_IMAGE")) {
        assertThat(image).matches("([a-z]+/)?[a-z-]+:[A-Za-z0-9.-]+");
      }
    });
    assertThat(names.get("KAFKA_IMAGE"))
        .endsWith(":" + property(Path.of("../../pom.xml"), "kafka.version"));
    assertThat(names.get("REGISTRY_IMAGE"))
        .endsWith(":" + property(Path.of("../../pom.xml"), "apicurio.version"));
    assertThat(text(DEPLOY.resolve("image/Dockerfile")))
        .contains("ARG JAVA_IMAGE=" + names.get("JAVA_IMAGE"));
  }

  @Test
  void everyVariableOfTheComposeFileHasAValue() throws IOException {
    assertThat(environment().keySet())
        .containsAll(found(text(COMPOSE.resolve("compose.yaml")), "\\$\\{([A-Z_]+)}"));
  }

  @Test
  void everyFileThatTheComposeFileMountsExists() throws IOException {
    Set<String> mounted =
        found(text(COMPOSE.resolve("compose.yaml")), "- (\\.{1,2}/[^:]+):[^:]+:ro");
    assertThat(mounted).isNotEmpty().allMatch(file -> Files.exists(COMPOSE.resolve(file)));
    assertThat(COMPOSE.resolve("../distribution/target/../../image/Dockerfile").normalize())
        .exists();
  }

  @Test
  void versionsAreThoseOfTheProduct() throws IOException {
    String version =
        found(text(Path.of("../pom.xml")), "<version>(.+)</version>").iterator().next();
    assertThat(environment()).containsEntry("VERSION", version);
    assertThat(text(DEPLOY.resolve("image/Dockerfile"))).contains("ARG VERSION=" + version);
    assertThat(text(CHART.resolve("Chart.yaml"))).contains("appVersion: " + version);
    assertThat(text(CHART.resolve("values.yaml"))).contains("tag: " + version);
  }

  @Test
  void variablesOfKafkaNameSettings() throws IOException {
    for (Path file : files()) {
      for (String variable : found(text(file), "\\bABACUS_KAFKA_([A-Z_]+[A-Z])\\b")) {
        String setting = variable.toLowerCase(Locale.ROOT).replace('_', '.');
        assertThat(isSetting(setting)).as("%s: %s", file, setting).isTrue();
      }
    }
  }

  @Test
  void settingsOfTheChartAndOfTheSampleConfigurationExist() throws IOException {
    for (Path file :
        List.of(
            CHART.resolve("templates/configuration.yaml"),
            CHART.resolve("values.yaml"),
            CONF.resolve("worker.properties"),
            CONF.resolve("optimizer.properties"))) {
      Set<String> settings =
          found(
              text(file),
              "(?m)^[ #]*((?!worker\\.|optimizer\\.properties)[a-z][a-z.]+\\.[a-z.]+)[=:]");
      assertThat(settings).as("%s", file).isNotEmpty();
      assertThat(settings).as("%s", file).allMatch(DeploymentFilesTest::isSetting);
    }
  }

  @Test
  void theSampleConfigurationIsAccepted() throws IOException {
    assertThat(new WorkerConfig(properties("worker.properties"))).isNotNull();
    assertThat(new OptimizerConfig(properties("optimizer.properties"))).isNotNull();
  }

  @Test
  void commandsAndOptionsOfTheComposeFileAndTheChartExist() throws IOException {
    services()
        .forEach((name, service) -> {
          Object command = service.get("command");
          if (command instanceof List<?> words) {
            requireCommand(words.stream().map(String::valueOf).toList());
          }
        });
    for (String name : List.of("worker", "optimizer")) {
      String template = text(CHART.resolve("templates/" + name + ".yaml"));
      String arguments = template.substring(template.indexOf("args:"), template.indexOf("env:"));
      requireCommand(
          Stream.concat(Stream.of(name), found(arguments, "- (-[-a-zA-Z]+)").stream()).toList());
    }
  }

  @Test
  void probesPortsAndMetricsExist() throws IOException {
    String chart = text(CHART.resolve("templates/_helpers.tpl"));
    String document = text(Path.of("../../docs/metrics.md"));
    assertThat(found(chart, "path: (/[a-z/]+)")).isNotEmpty().allMatch(document::contains);

    Set<String> metrics =
        Arrays.stream(Metric.values()).map(Metric::id).collect(Collectors.toSet());
    assertThat(metrics)
        .containsAll(found(text(CHART.resolve("templates/scaledobject.yaml")), "(abacus_[a-z_]+)"));

    Set<String> served = found(text(COMPOSE.resolve("compose.yaml")), "LISTENER: 0.0.0.0:(\\d+)");
    assertThat(found(text(COMPOSE.resolve("prometheus.yml")), "\"[a-z0-9-]+:(\\d+)\""))
        .isEqualTo(served);
    assertThat(services().keySet())
        .containsAll(found(text(COMPOSE.resolve("prometheus.yml")), "\"([a-z0-9-]+):\\d+\""));
  }

  @Test
  void everyValueOfTheChartHasADefault() throws IOException {
    Object values = yaml(CHART.resolve("values.yaml"));
    for (Path file : files()) {
      for (String path : found(text(file), "\\.Values\\.([A-Za-z.]+)")) {
        Object value = values;
        for (String step : path.split("\\.", -1)) {
          assertThat(value).as("%s: %s", file, path).isInstanceOf(Map.class);
          assertThat(((Map<?, ?>) Objects.requireNonNull(value)).containsKey(step))
              .as("%s: %s", file, path)
              .isTrue();
          value = ((Map<?, ?>) Objects.requireNonNull(value)).get(step);
        }
      }
    }
  }

  /** 4318 is the port of the protocol that workers send traces with by default. */
  @Test
  void theNetworkPolicyLetsTracesOut() throws IOException {
    assertThat(text(CHART.resolve("values.yaml"))).containsPattern("egressPorts: \\[.*\\b4318\\b");
  }

  @Test
  void imageAndChartAgreeOnTheUser() throws IOException {
    Set<String> users = found(text(DEPLOY.resolve("image/Dockerfile")), "(?m)^USER (\\d+):");
    assertThat(users).hasSize(1);
    assertThat(found(text(CHART.resolve("templates/_helpers.tpl")), "runAsUser: (\\d+)"))
        .isEqualTo(users);
  }

  private static void requireCommand(List<String> words) {
    CommandLine command = Abacus.commandLine().getSubcommands().get(words.getFirst());
    assertThat(command).as("%s", words).isNotNull();
    for (String word : words) {
      if (word.startsWith("-")) {
        String option = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
        assertThat(Objects.requireNonNull(command).getCommandSpec().optionsMap())
            .containsKey(option);
      }
    }
  }

  private static boolean isSetting(String name) {
    return WorkerConfig.DEFINITION.names().contains(name)
        || OptimizerConfig.DEFINITION.names().contains(name)
        || ConsumerConfig.configNames().contains(name);
  }

  private static Map<String, Map<?, ?>> services() throws IOException {
    Map<?, ?> file = (Map<?, ?>) yaml(COMPOSE.resolve("compose.yaml"));
    Map<?, ?> services = (Map<?, ?>) Objects.requireNonNull(file.get("services"));
    return services.entrySet().stream()
        .collect(
            Collectors.toMap(
                one -> String.valueOf(one.getKey()), one -> (Map<?, ?>) one.getValue()));
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> chart = Files.walk(CHART);
        Stream<Path> compose = Files.walk(COMPOSE)) {
      return Stream.concat(chart, compose).filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static Map<String, String> environment() throws IOException {
    Properties properties = new Properties();
    try (var reader = Files.newBufferedReader(COMPOSE.resolve(".env"))) {
      properties.load(reader);
    }
    return properties.stringPropertyNames().stream()
        .collect(Collectors.toMap(name -> name, properties::getProperty));
  }

  private static Map<String, Object> properties(String name) throws IOException {
    Properties properties = new Properties();
    properties.load(
        new StringReader(text(CONF.resolve(name)).replaceAll("(?m)^#([a-z]+\\.[a-z.]+=)", "$1")));
    return properties.stringPropertyNames().stream()
        .collect(Collectors.toMap(key -> key, properties::getProperty));
  }

  private static String property(Path pom, String name) throws IOException {
    return found(text(pom), "<" + name + ">(.+)</").iterator().next();
  }

  private static Object yaml(Path file) throws IOException {
    return new Load(LoadSettings.builder().build()).loadFromString(text(file));
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file);
  }

  /** The first groups of all matches. */
  private static Set<String> found(String text, String pattern) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }
}

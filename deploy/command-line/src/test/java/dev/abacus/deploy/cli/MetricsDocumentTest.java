package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.schemas.monitor.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** {@code docs/metrics.md}, the dashboards and the alert rules name the metrics that exist. */
class MetricsDocumentTest {

  private static final Path DOCUMENT = Path.of("../../docs/metrics.md");
  private static final Path DASHBOARDS = Path.of("../dashboards");
  private static final Pattern NAME = Pattern.compile("\\babacus_[a-z_]+");

  @Test
  void everyMetricIsDocumented() throws IOException {
    List<String> table =
        Files.readAllLines(DOCUMENT).stream()
            .dropWhile(line -> !line.equals("## Metrics"))
            .dropWhile(line -> !line.startsWith("|---"))
            .skip(1)
            .takeWhile(line -> line.startsWith("|"))
            .toList();

    assertThat(table)
        .containsExactlyElementsOf(
            Arrays.stream(Metric.values()).map(MetricsDocumentTest::row).toList());
  }

  private static String row(Metric metric) {
    return "| `%s` | %s | %s | %s | %s |"
        .formatted(
            metric.id(),
            metric.type().name().toLowerCase(Locale.ROOT),
            metric.plane().name().toLowerCase(Locale.ROOT),
            metric.labels().stream()
                .map(label -> "`" + label + "`")
                .collect(Collectors.joining(", ")),
            metric.help());
  }

  @Test
  void dashboardsShowOnlyMetricsThatExist() throws IOException {
    for (Path file : files(".json")) {
      List<String> expressions = new ArrayList<>();
      for (JsonNode panel : new ObjectMapper().readTree(file.toFile()).path("panels")) {
        panel.path("targets").forEach(target -> expressions.add(target.path("expr").asText()));
      }
      assertThat(expressions).as("%s", file).isNotEmpty();
      assertThat(unknown(expressions)).as("%s", file).isEmpty();
    }
  }

  @Test
  void alertRulesUseOnlyMetricsThatExist() throws IOException {
    List<String> expressions = new ArrayList<>();
    for (Path file : files(".yaml")) {
      Object rules =
          new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
      for (Object group : list(rules, "groups")) {
        for (Object rule : list(group, "rules")) {
          assertThat(rule)
              .asInstanceOf(MAP)
              .containsKeys("alert", "expr", "for", "labels", "annotations");
          expressions.add(String.valueOf(((Map<?, ?>) rule).get("expr")));
        }
      }
    }
    assertThat(expressions).isNotEmpty();
    assertThat(unknown(expressions)).isEmpty();
  }

  private static List<?> list(Object map, String key) {
    return (List<?>) Objects.requireNonNull(((Map<?, ?>) map).get(key), key);
  }

  /** Names and labels that are used and do not exist. */
  private static Set<String> unknown(List<String> expressions) {
    Set<String> known = new TreeSet<>();
    for (Metric metric : Metric.values()) {
      known.add(metric.id());
      if (metric.type() == Metric.Type.HISTOGRAM) {
        known.addAll(
            List.of(metric.id() + "_bucket", metric.id() + "_sum", metric.id() + "_count"));
      }
    }
    Set<String> unknown = new TreeSet<>();
    for (String expression : expressions) {
      Matcher names = NAME.matcher(expression);
      while (names.find()) {
        if (!known.contains(names.group())) {
          unknown.add(names.group());
        }
      }
    }
    return unknown;
  }

  private static List<Path> files(String ending) throws IOException {
    try (var all = Files.list(DASHBOARDS)) {
      List<Path> files = all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
      assertThat(files).isNotEmpty();
      return files;
    }
  }
}

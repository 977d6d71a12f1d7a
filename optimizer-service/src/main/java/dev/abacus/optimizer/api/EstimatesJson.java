package dev.abacus.optimizer.api;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.JsonAmount;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.input.JsonMistake;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads the estimates of the {@code search} command: {@code {"<operator>": [{"id": "p1", "quality":
 * 0.9, "cost": 0.01, "latency": 2.0, "selectivity": 0.5}, …], …}}. Cost is in USD per input,
 * latency in seconds, selectivity in outputs per input (default 1). Operators without a model may
 * be omitted. The optional {@code "samples": 12} and {@code "intervals": {"quality": [0.8, 0.95],
 * …}} state the confidence of an estimate; the search ignores them.
 */
final class EstimatesJson {

  private static final Set<String> KEYS =
      Set.of("id", "quality", "cost", "latency", "selectivity", "samples", "intervals");
  private static final Set<String> METRICS = Set.of("quality", "cost", "latency");
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private EstimatesJson() {}

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if it is no JSON
   */
  static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("the estimates are no JSON: " + JsonMistake.of(e), e);
    }
  }

  /**
   * The estimates for a program.
   *
   * @return candidates by logical operator id
   * @throws IllegalArgumentException if the text is invalid; the message names key and reason
   */
  static Map<String, List<Candidate>> read(JsonNode tree, Program program) {
    if (!tree.isObject()) {
      throw JsonAmount.wrong("estimates", "must be an object of operators");
    }
    Map<String, List<Candidate>> candidates = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : tree.properties()) {
      LogicalOperator operator = program.operator(entry.getKey());
      if (operator == null) {
        throw JsonAmount.wrong(
            entry.getKey(), "is no operator of the program; there are " + ids(program));
      }
      candidates.put(operator.id(), candidates(operator, entry.getValue()));
    }
    for (LogicalOperator operator : program.operators()) {
      if (!candidates.containsKey(operator.id())) {
        if (operator.isSemantic()) {
          throw JsonAmount.wrong(
              operator.id(), "is missing: every semantic operator needs estimates");
        }
        candidates.put(
            operator.id(), List.of(new Candidate("relational", OperatorEstimate.RELATIONAL)));
      }
    }
    return candidates;
  }

  private static List<Candidate> candidates(LogicalOperator operator, JsonNode list) {
    if (!list.isArray() || list.isEmpty()) {
      throw JsonAmount.wrong(operator.id(), "must be a list with at least one implementation");
    }
    List<Candidate> candidates = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (JsonNode node : list) {
      Candidate candidate =
          candidate(operator, "%s[%d]".formatted(operator.id(), ids.size()), node);
      if (!ids.add(candidate.id())) {
        throw JsonAmount.wrong(
            operator.id(), "has two implementations with the id '" + candidate.id() + "'");
      }
      candidates.add(candidate);
    }
    return candidates;
  }

  private static Candidate candidate(LogicalOperator operator, String at, JsonNode node) {
    JsonAmount.requireKeys(at, node, KEYS, "an estimate");
    JsonNode id = node.path("id");
    if (!id.isTextual() || id.asText().isBlank()) {
      throw JsonAmount.wrong(at + ".id", "must be a text");
    }
    checkConfidence(at, node);
    return new Candidate(id.asText(), JsonAmount.estimate(at, node, operator.decides()));
  }

  private static void checkConfidence(String at, JsonNode node) {
    JsonNode samples = node.path("samples");
    if (!samples.isMissingNode() && !(samples.isIntegralNumber() && samples.asLong() >= 0)) {
      throw JsonAmount.wrong(
          at + ".samples", "is " + samples + "; it must be a whole number, not negative");
    }
    JsonNode intervals = node.path("intervals");
    if (!intervals.isMissingNode() && !intervals.isObject()) {
      throw JsonAmount.wrong(at + ".intervals", "must be an object of metrics");
    }
    for (Map.Entry<String, JsonNode> interval : intervals.properties()) {
      JsonNode ends = interval.getValue();
      if (!METRICS.contains(interval.getKey())) {
        throw JsonAmount.wrong(at + ".intervals." + interval.getKey(), "is no metric");
      }
      if (ends.size() != 2
          || !ends.path(0).isNumber()
          || !ends.path(1).isNumber()
          || ends.path(0).asDouble() > ends.path(1).asDouble()) {
        throw JsonAmount.wrong(at + ".intervals." + interval.getKey(), "must be a list: low, high");
      }
    }
  }

  /** The stated confidence of the estimates that a plan uses, by operator. */
  static ObjectNode confidence(JsonNode tree, SearchReport.Plan plan) {
    ObjectNode confidence = JSON.createObjectNode();
    for (SearchReport.Step step : plan.operators()) {
      for (JsonNode estimate : tree.path(step.logical())) {
        if (estimate.path("id").asText().equals(step.physical())
            && (estimate.has("samples") || estimate.has("intervals"))) {
          ObjectNode of = confidence.putObject(step.logical());
          of.put("implementation", step.physical());
          for (String key : List.of("samples", "intervals")) {
            if (estimate.has(key)) {
              of.set(key, estimate.get(key));
            }
          }
        }
      }
    }
    return confidence;
  }

  private static String ids(Program program) {
    return program.operators().stream().map(LogicalOperator::id).collect(Collectors.joining(", "));
  }
}

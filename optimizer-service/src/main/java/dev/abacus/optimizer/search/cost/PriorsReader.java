package dev.abacus.optimizer.search.cost;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.abacus.schemas.input.BoundedJson;
import dev.abacus.schemas.input.JsonMistake;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads priors: {@code {"<operator>": {"<implementation>": {"quality": 0.8, "cost": 0.002,
 * "latency": 1.5, "selectivity": 0.4}, …}, …}}; {@code selectivity} defaults to 1. Cost and latency
 * may be in any unit, because only ratios matter.
 *
 * <p>An unknown operator is an error. An unknown implementation is skipped and reported, because
 * files outlive models, and one outdated entry must not make the others useless.
 */
public final class PriorsReader {

  private static final Set<String> KEYS = Set.of("quality", "cost", "latency", "selectivity");
  private static final JsonMapper JSON =
      BoundedJson.mapper()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private PriorsReader() {}

  /**
   * The priors that were read.
   *
   * @param unknown {@code operator.implementation} of each skipped entry
   */
  public record Result(Priors priors, List<String> unknown) {}

  /**
   * Reads priors for a search space.
   *
   * @param space implementations by operator id
   * @throws IllegalArgumentException if the JSON is invalid; the message names key and reason
   */
  public static Result read(
      String json, Map<String, ? extends Collection<PhysicalOperator>> space) {
    JsonNode tree = tree(json);
    if (!tree.isObject()) {
      throw new IllegalArgumentException("the priors must be an object of operators");
    }
    Map<String, Map<String, OperatorEstimate>> priors = new LinkedHashMap<>();
    List<String> unknown = new ArrayList<>();
    for (Map.Entry<String, JsonNode> operator : tree.properties()) {
      Collection<PhysicalOperator> known = space.get(operator.getKey());
      if (known == null) {
        throw JsonAmount.wrong(
            operator.getKey(), "is no operator; there are " + String.join(", ", space.keySet()));
      }
      if (!operator.getValue().isObject()) {
        throw JsonAmount.wrong(operator.getKey(), "must be an object of implementations");
      }
      Map<String, OperatorEstimate> ofOperator = new LinkedHashMap<>();
      Set<String> ids = known.stream().map(PhysicalOperator::id).collect(Collectors.toSet());
      for (Map.Entry<String, JsonNode> entry : operator.getValue().properties()) {
        String at = operator.getKey() + "." + entry.getKey();
        JsonAmount.requireKeys(at, entry.getValue(), KEYS, "a prior");
        OperatorEstimate estimate = JsonAmount.estimate(at, entry.getValue(), false);
        if (ids.contains(entry.getKey())) {
          ofOperator.put(entry.getKey(), estimate);
        } else {
          unknown.add(at);
        }
      }
      priors.put(operator.getKey(), ofOperator);
    }
    return new Result(new Priors(priors), unknown);
  }

  /**
   * Checks priors without checking operators and implementations.
   *
   * @throws IllegalArgumentException if the JSON is invalid; the message names key and reason
   */
  public static void check(String json) {
    Map<String, Set<PhysicalOperator>> any = new LinkedHashMap<>();
    JsonNode tree = tree(json);
    tree.fieldNames().forEachRemaining(operator -> any.put(operator, Set.of()));
    var _ = read(json, any);
  }

  private static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("the priors are not JSON: " + JsonMistake.of(e), e);
    }
  }
}

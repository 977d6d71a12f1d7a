package dev.abacus.schemas.kafka;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.LearnedOrder;
import dev.abacus.schemas.plan.Mixture;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Spread;
import dev.abacus.schemas.plan.Standing;
import dev.abacus.schemas.program.LogicalOperator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of plans. Each logical operator, each trained classifier and each list of examples
 * in a prompt is written once, and the plans of the frontier refer to it, so that a record with a
 * long frontier is small.
 */
final class PlanJson {

  /**
   * The large parameters of implementations, and the lists of a plan in which each value is written
   * once.
   */
  private static final SortedMap<String, String> SHARED =
      new TreeMap<>(Map.of("classifier", "classifiers", "shown", "examples"));

  private static final String BASIS = "basis";
  private static final String PROMISE = "promise";
  private static final String GRADED = "graded";
  private static final String REQUIRED = "required";
  private static final String SPREAD = "spread";
  private static final String MIXTURE = "mixture";
  private static final String LEARNED = "learned";
  private static final String ORDERS = "orders";

  private final ObjectMapper json;

  PlanJson(ObjectMapper json) {
    this.json = json;
  }

  ObjectNode write(PhysicalPlan plan) {
    ObjectNode node = json.createObjectNode();
    node.put("program", plan.program()).put("epoch", plan.epoch());
    node.set("objective", json.valueToTree(plan.objective()));
    node.put("feasible", plan.feasible());
    node.set("standing", json.valueToTree(plan.standing()));
    node.put(REQUIRED, plan.required());
    ArrayNode logical = node.putArray("logical");
    operators(plan).forEach(operator -> logical.add(json.<JsonNode>valueToTree(operator)));
    Map<String, Map<JsonNode, Integer>> shared = new LinkedHashMap<>();
    node.set("plan", write(plan.choice(), shared));
    ArrayNode frontier = node.putArray("frontier");
    plan.frontier().forEach(choice -> frontier.add(write(choice, shared)));
    shared.forEach((list, values) -> node.putArray(list).addAll(values.keySet()));
    setKnown(node, BASIS, plan.basis());
    setKnown(node, PROMISE, plan.promise());
    setKnown(node, GRADED, plan.graded());
    setKnown(node, LEARNED, plan.learned());
    setKnown(node, ORDERS, plan.orders());
    return node;
  }

  /** Sets a value, unless it is null or an empty collection. */
  private void setKnown(ObjectNode node, String key, @Nullable Object value) {
    JsonNode tree = json.valueToTree(value);
    if (!tree.isEmpty()) {
      node.set(key, tree);
    }
  }

  /** Those of the plan itself first; rules may have made others for plans of the frontier. */
  private static Collection<LogicalOperator> operators(PhysicalPlan plan) {
    Map<String, LogicalOperator> operators = new LinkedHashMap<>();
    plan.steps().forEach(step -> operators.put(step.logical().id(), step.logical()));
    for (PlanChoice choice : plan.frontier()) {
      choice.allSteps().forEach(step -> operators.putIfAbsent(step.logical().id(), step.logical()));
    }
    return operators.values();
  }

  private ObjectNode write(PlanChoice choice, Map<String, Map<JsonNode, Integer>> shared) {
    ObjectNode node = json.createObjectNode();
    ArrayNode operators = node.putArray("operators");
    for (PlanStep step : choice.steps()) {
      operators
          .addObject()
          .put("logical", step.logical().id())
          .set("physical", write(step.physical(), shared));
    }
    setKnown(node, SPREAD, choice.spread());
    Mixture mixture = choice.mixture();
    if (mixture != null) {
      ObjectNode written = node.putObject(MIXTURE).put("share", mixture.share());
      written.set("plan", write(mixture.plan(), shared));
      written.set("others", json.valueToTree(mixture.others()));
    }
    return node.setAll(json.<ObjectNode>valueToTree(choice.estimate()));
  }

  /** With the numbers of its shared parameters in their place. */
  private JsonNode write(PhysicalOperator physical, Map<String, Map<JsonNode, Integer>> shared) {
    ObjectNode written = json.valueToTree(physical);
    SHARED.forEach((parameter, list) -> {
      JsonNode value = written.get(parameter);
      if (value != null) {
        Map<JsonNode, Integer> values = shared.computeIfAbsent(list, _ -> new LinkedHashMap<>());
        int number = values.computeIfAbsent(value, _ -> values.size());
        written.put(parameter, number);
      }
    });
    return written;
  }

  PhysicalPlan read(JsonNode node) throws IOException {
    Map<String, LogicalOperator> operators = new LinkedHashMap<>();
    for (JsonNode written : required(node, "logical")) {
      LogicalOperator operator = json.treeToValue(written, LogicalOperator.class);
      operators.put(operator.id(), operator);
    }
    List<PlanChoice> frontier = new ArrayList<>();
    for (JsonNode choice : node.path("frontier")) {
      frontier.add(choice(choice, operators, node));
    }
    return new PhysicalPlan(
        required(node, "program").asText(),
        required(node, "epoch").asLong(),
        choice(required(node, "plan"), operators, node),
        json.treeToValue(required(node, "objective"), Objective.class),
        frontier,
        byOperator(node, BASIS, new TypeReference<>() {}),
        json.treeToValue(node.get(PROMISE), PlanPromise.class),
        byOperator(node, GRADED, new TypeReference<>() {}),
        node.path(REQUIRED).asDouble(Standing.REQUIRED),
        byOperator(node, LEARNED, new TypeReference<>() {}),
        node.has(ORDERS)
            ? List.of(json.treeToValue(node.get(ORDERS), LearnedOrder[].class))
            : List.of());
  }

  private <V> Map<String, V> byOperator(
      JsonNode plan, String key, TypeReference<Map<String, V>> type) throws IOException {
    JsonNode node = plan.path(key);
    return node.isObject() ? json.readValue(json.treeAsTokens(node), type) : Map.of();
  }

  private PlanChoice choice(JsonNode node, Map<String, LogicalOperator> operators, JsonNode plan)
      throws IOException {
    List<PlanStep> steps = new ArrayList<>();
    for (JsonNode step : required(node, "operators")) {
      String id = required(step, "logical").asText();
      LogicalOperator operator = operators.get(id);
      if (operator == null) {
        throw new IllegalArgumentException("'" + id + "' does not stand under 'logical'");
      }
      steps.add(new PlanStep(operator, physical(required(step, "physical"), plan)));
    }
    return new PlanChoice(
        steps,
        estimate(node),
        json.treeToValue(node.get(SPREAD), Spread.class),
        node.has(MIXTURE) ? mixture(node.get(MIXTURE), operators, plan) : null);
  }

  private Mixture mixture(JsonNode node, Map<String, LogicalOperator> operators, JsonNode plan)
      throws IOException {
    return new Mixture(
        number(node, "share"),
        choice(required(node, "plan"), operators, plan),
        estimate(required(node, "others")));
  }

  private static Estimate estimate(JsonNode node) {
    return new Estimate(number(node, "quality"), number(node, "cost"), number(node, "latency"));
  }

  private PhysicalOperator physical(JsonNode node, JsonNode plan) throws IOException {
    ObjectNode whole = node.deepCopy();
    for (Map.Entry<String, String> parameter : SHARED.entrySet()) {
      JsonNode number = node.path(parameter.getKey());
      if (number.isInt()) {
        JsonNode value = plan.path(parameter.getValue()).get(number.intValue());
        if (value == null) {
          throw new IllegalArgumentException(
              "there is no %s %s under '%s'"
                  .formatted(parameter.getKey(), number, parameter.getValue()));
        }
        whole.set(parameter.getKey(), value);
      }
    }
    return json.treeToValue(whole, PhysicalOperator.class);
  }

  private static double number(JsonNode node, String key) {
    JsonNode value = required(node, key);
    if (!value.isNumber()) {
      throw new IllegalArgumentException("'" + key + "' is not a number");
    }
    return value.doubleValue();
  }

  private static JsonNode required(JsonNode node, String key) {
    JsonNode value = node.get(key);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException("'" + key + "' is missing");
    }
    return value;
  }
}

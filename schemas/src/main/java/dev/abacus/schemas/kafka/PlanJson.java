package dev.abacus.schemas.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.LogicalOperator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON form of plans. Each logical operator and each trained classifier is written once, and
 * the plans of the frontier refer to it, so that a record with a long frontier is small.
 */
final class PlanJson {

  private static final String CLASSIFIER = "classifier";
  private static final String CLASSIFIERS = "classifiers";
  private static final String BASIS = "basis";
  private static final String PROMISE = "promise";

  private final ObjectMapper json;

  PlanJson(ObjectMapper json) {
    this.json = json;
  }

  ObjectNode write(PhysicalPlan plan) {
    ObjectNode node = json.createObjectNode();
    node.put("program", plan.program()).put("epoch", plan.epoch());
    node.set("objective", json.valueToTree(plan.objective()));
    node.put("feasible", plan.feasible());
    ArrayNode logical = node.putArray("logical");
    operators(plan).forEach(operator -> logical.add(json.<JsonNode>valueToTree(operator)));
    Map<JsonNode, Integer> classifiers = new LinkedHashMap<>();
    node.set("plan", write(plan.choice(), classifiers));
    ArrayNode frontier = node.putArray("frontier");
    plan.frontier().forEach(choice -> frontier.add(write(choice, classifiers)));
    if (!classifiers.isEmpty()) {
      node.putArray(CLASSIFIERS).addAll(classifiers.keySet());
    }
    if (!plan.basis().isEmpty()) {
      node.set(BASIS, json.valueToTree(plan.basis()));
    }
    if (plan.promise() != null) {
      node.set(PROMISE, json.valueToTree(plan.promise()));
    }
    return node;
  }

  /** Those of the plan itself first; rules may have made others for plans of the frontier. */
  private static Collection<LogicalOperator> operators(PhysicalPlan plan) {
    Map<String, LogicalOperator> operators = new LinkedHashMap<>();
    plan.steps().forEach(step -> operators.put(step.logical().id(), step.logical()));
    for (PlanChoice choice : plan.frontier()) {
      choice.steps().forEach(step -> operators.putIfAbsent(step.logical().id(), step.logical()));
    }
    return operators.values();
  }

  private ObjectNode write(PlanChoice choice, Map<JsonNode, Integer> classifiers) {
    ObjectNode node = json.createObjectNode();
    ArrayNode operators = node.putArray("operators");
    for (PlanStep step : choice.steps()) {
      operators
          .addObject()
          .put("logical", step.logical().id())
          .set("physical", write(step.physical(), classifiers));
    }
    Estimate estimate = choice.estimate();
    return node.put("quality", estimate.quality())
        .put("cost", estimate.cost())
        .put("latency", estimate.latency());
  }

  /** With the number of its classifier, if it has one, in the classifier's place. */
  private JsonNode write(PhysicalOperator physical, Map<JsonNode, Integer> classifiers) {
    ObjectNode written = json.valueToTree(physical);
    JsonNode classifier = written.get(CLASSIFIER);
    if (classifier != null) {
      Integer number = classifiers.get(classifier);
      if (number == null) {
        number = classifiers.size();
        classifiers.put(classifier, number);
      }
      written.put(CLASSIFIER, number);
    }
    return written;
  }

  PhysicalPlan read(JsonNode node) throws IOException {
    Map<String, LogicalOperator> operators = new LinkedHashMap<>();
    for (JsonNode written : required(node, "logical")) {
      LogicalOperator operator = json.treeToValue(written, LogicalOperator.class);
      operators.put(operator.id(), operator);
    }
    JsonNode classifiers = node.path(CLASSIFIERS);
    List<PlanChoice> frontier = new ArrayList<>();
    for (JsonNode choice : node.path("frontier")) {
      frontier.add(choice(choice, operators, classifiers));
    }
    return new PhysicalPlan(
        required(node, "program").asText(),
        required(node, "epoch").asLong(),
        choice(required(node, "plan"), operators, classifiers),
        json.treeToValue(required(node, "objective"), Objective.class),
        frontier,
        basis(node.path(BASIS)),
        node.has(PROMISE) ? json.treeToValue(node.get(PROMISE), PlanPromise.class) : null);
  }

  private Map<String, Map<String, StepEstimate>> basis(JsonNode node) throws IOException {
    Map<String, Map<String, StepEstimate>> basis = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> operator : node.properties()) {
      Map<String, StepEstimate> byId = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> one : operator.getValue().properties()) {
        byId.put(one.getKey(), json.treeToValue(one.getValue(), StepEstimate.class));
      }
      basis.put(operator.getKey(), byId);
    }
    return basis;
  }

  private PlanChoice choice(
      JsonNode node, Map<String, LogicalOperator> operators, JsonNode classifiers)
      throws IOException {
    List<PlanStep> steps = new ArrayList<>();
    for (JsonNode step : required(node, "operators")) {
      String id = required(step, "logical").asText();
      LogicalOperator operator = operators.get(id);
      if (operator == null) {
        throw new IllegalArgumentException("'" + id + "' does not stand under 'logical'");
      }
      steps.add(new PlanStep(operator, physical(required(step, "physical"), classifiers)));
    }
    return new PlanChoice(
        steps,
        new Estimate(number(node, "quality"), number(node, "cost"), number(node, "latency")));
  }

  private PhysicalOperator physical(JsonNode node, JsonNode classifiers) throws IOException {
    JsonNode number = node.path(CLASSIFIER);
    if (!number.isInt()) {
      return json.treeToValue(node, PhysicalOperator.class);
    }
    JsonNode classifier = classifiers.get(number.intValue());
    if (classifier == null) {
      throw new IllegalArgumentException(
          "there is no classifier %s under '%s'".formatted(number, CLASSIFIERS));
    }
    ObjectNode whole = node.deepCopy();
    whole.set(CLASSIFIER, classifier);
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

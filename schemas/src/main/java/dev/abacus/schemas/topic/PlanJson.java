package dev.abacus.schemas.topic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON form of plans: every logical operator stands once, and the plans of the frontier name it
 * by id, so that a record stays small however long the frontier is.
 */
final class PlanJson {

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
    plan.steps().forEach(step -> logical.add(json.<JsonNode>valueToTree(step.logical())));
    node.set("plan", write(plan.choice()));
    ArrayNode frontier = node.putArray("frontier");
    plan.frontier().forEach(choice -> frontier.add(write(choice)));
    return node;
  }

  private ObjectNode write(PlanChoice choice) {
    ObjectNode node = json.createObjectNode();
    ArrayNode operators = node.putArray("operators");
    for (PlanStep step : choice.steps()) {
      operators
          .addObject()
          .put("logical", step.logical().id())
          .set("physical", json.valueToTree(step.physical()));
    }
    Estimate estimate = choice.estimate();
    return node.put("quality", estimate.quality())
        .put("cost", estimate.cost())
        .put("latency", estimate.latency());
  }

  PhysicalPlan read(JsonNode node) throws IOException {
    Map<String, LogicalOperator> operators = new LinkedHashMap<>();
    for (JsonNode written : required(node, "logical")) {
      LogicalOperator operator = json.treeToValue(written, LogicalOperator.class);
      operators.put(operator.id(), operator);
    }
    List<PlanChoice> frontier = new ArrayList<>();
    for (JsonNode choice : node.path("frontier")) {
      frontier.add(choice(choice, operators));
    }
    return new PhysicalPlan(
        required(node, "program").asText(),
        required(node, "epoch").asLong(),
        choice(required(node, "plan"), operators),
        json.treeToValue(required(node, "objective"), Objective.class),
        frontier);
  }

  private PlanChoice choice(JsonNode node, Map<String, LogicalOperator> operators)
      throws IOException {
    List<PlanStep> steps = new ArrayList<>();
    for (JsonNode step : required(node, "operators")) {
      String id = required(step, "logical").asText();
      LogicalOperator operator = operators.get(id);
      if (operator == null) {
        throw new IllegalArgumentException("'" + id + "' does not stand under 'logical'");
      }
      steps.add(
          new PlanStep(
              operator, json.treeToValue(required(step, "physical"), PhysicalOperator.class)));
    }
    return new PlanChoice(
        steps,
        new Estimate(number(node, "quality"), number(node, "cost"), number(node, "latency")));
  }

  private static double number(JsonNode node, String key) {
    JsonNode value = required(node, key);
    if (!value.isNumber()) {
      throw new IllegalArgumentException("'" + key + "' is no number");
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

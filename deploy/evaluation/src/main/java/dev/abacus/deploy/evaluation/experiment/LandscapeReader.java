package dev.abacus.deploy.evaluation.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads landscapes: JSON Lines, one implementation each, {@code {"id", "technique", "models",
 * "params", "quality", "cost_usd", "latency_s"}}. Keys that are not named here are passed over.
 */
final class LandscapeReader {

  private final JsonLines.Line line;

  private LandscapeReader(JsonLines.Line line) {
    this.line = line;
  }

  /**
   * Reads a landscape.
   *
   * @throws InvalidFileException with every mistake in the file
   */
  static Landscape read(String operator, Path file) {
    Set<String> ids = new HashSet<>();
    List<LandscapeArm> arms =
        JsonLines.read(
            file,
            line -> {
              if (!ids.add(line.text("id"))) {
                throw line.wrong("'id' '%s' is there twice".formatted(line.text("id")));
              }
              return new LandscapeReader(line).arm();
            });
    if (arms.isEmpty()) {
      throw InvalidFileException.of(file, "there is no implementation in it");
    }
    return new Landscape(operator, arms);
  }

  private LandscapeArm arm() {
    JsonNode parameters = line.object().get("params");
    if (!parameters.isObject()) {
      throw wrong("params", "is missing or no object");
    }
    Arm arm = Arm.of(line.text("id"), line.text("technique"), models(), parameters.properties());
    JsonNode node = line.object().toJson();
    double quality = amount(node, "quality");
    if (quality > 1) {
      throw wrong("quality", "is " + quality + "; it must be in [0, 1]");
    }
    return new LandscapeArm(
        arm, new OperatorEstimate(quality, amount(node, "cost_usd"), amount(node, "latency_s"), 1));
  }

  private List<String> models() {
    JsonNode list = line.object().get("models");
    List<String> models = new ArrayList<>();
    for (JsonNode model : list) {
      models.add(model.asText());
    }
    if (!list.isArray() || !list.valueStream().allMatch(JsonNode::isTextual)) {
      throw wrong("models", "is missing or no list of names");
    }
    return models;
  }

  private double amount(JsonNode node, String key) {
    JsonNode value = node.path(key);
    if (value.isMissingNode()) {
      throw wrong(key, "is missing");
    }
    double amount = value.asDouble();
    if (!value.isNumber() || !Double.isFinite(amount)) {
      throw wrong(key, "is " + value + "; it must be a number");
    }
    if (amount < 0) {
      throw wrong(key, "is " + value + "; it must not be negative");
    }
    return amount;
  }

  private InvalidFileException wrong(String key, String reason) {
    return line.wrong("'%s' %s".formatted(key, reason));
  }
}

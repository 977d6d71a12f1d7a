package dev.abacus.deploy.evaluation.experiment;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.input.JsonMistake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads landscapes: JSON Lines, one implementation each, {@code {"id", "technique", "models",
 * "params", "quality", "cost_usd", "latency_s", "naive": {"quality", "cost_usd", "latency_s"}}}.
 * {@code naive} may be absent; keys that are not named here are passed over.
 */
final class LandscapeReader {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final Path file;
  private final Set<String> ids = new HashSet<>();
  private int line;

  private LandscapeReader(Path file) {
    this.file = file;
  }

  /**
   * Reads a file.
   *
   * @throws InvalidFileException if it cannot be read or anything in it is wrong; the message names
   *     line, key and reason
   */
  static Landscape read(String operator, Path file) {
    return new Landscape(operator, new LandscapeReader(file).arms());
  }

  private List<LandscapeArm> arms() {
    List<LandscapeArm> arms = new ArrayList<>();
    for (String text : lines()) {
      line++;
      if (!text.isBlank()) {
        arms.add(arm(tree(text)));
      }
    }
    if (arms.isEmpty()) {
      throw InvalidFileException.of(file, "there is no implementation in it");
    }
    return arms;
  }

  private List<String> lines() {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw InvalidFileException.of(file, "cannot be read", e);
    }
  }

  private JsonNode tree(String text) {
    try {
      JsonNode tree = JSON.readTree(text);
      if (!tree.isObject()) {
        throw wrong("a line", "must be an object");
      }
      return tree;
    } catch (JacksonException e) {
      throw InvalidFileException.at(file, line, "no JSON: " + JsonMistake.of(e));
    }
  }

  private LandscapeArm arm(JsonNode node) {
    String id = text(node, "id");
    if (!ids.add(id)) {
      throw wrong("id", "'" + id + "' is there twice");
    }
    JsonNode parameters = required(node, "params");
    if (!parameters.isObject()) {
      throw wrong("params", "must be an object");
    }
    Arm arm = Arm.of(id, text(node, "technique"), models(node), parameters.properties());
    OperatorEstimate truth = estimate(node, "");
    JsonNode naive = node.path("naive");
    return new LandscapeArm(
        arm, truth, naive.isMissingNode() || naive.isNull() ? null : estimate(naive, "naive."));
  }

  private List<String> models(JsonNode node) {
    JsonNode list = required(node, "models");
    List<String> models = new ArrayList<>();
    if (!list.isArray()) {
      throw wrong("models", "must be a list of names");
    }
    for (JsonNode model : list) {
      if (!model.isTextual()) {
        throw wrong("models", "holds " + model + "; it must be a list of names");
      }
      models.add(model.asText());
    }
    return models;
  }

  private OperatorEstimate estimate(JsonNode node, String prefix) {
    double quality = amount(node, prefix, "quality");
    if (quality > 1) {
      throw wrong(prefix + "quality", "is " + quality + "; it must be in [0, 1]");
    }
    return new OperatorEstimate(
        quality, amount(node, prefix, "cost_usd"), amount(node, prefix, "latency_s"), 1);
  }

  private double amount(JsonNode node, String prefix, String key) {
    JsonNode value = node.path(key);
    if (value.isMissingNode()) {
      throw wrong(prefix + key, "is missing");
    }
    double amount = value.asDouble();
    if (!value.isNumber() || !Double.isFinite(amount)) {
      throw wrong(prefix + key, "is " + value + "; it must be a number");
    }
    if (amount < 0) {
      throw wrong(prefix + key, "is " + value + "; it must not be negative");
    }
    return amount;
  }

  private String text(JsonNode node, String key) {
    JsonNode value = required(node, key);
    if (!value.isTextual() || value.asText().isBlank()) {
      throw wrong(key, "must be a text");
    }
    return value.asText();
  }

  private JsonNode required(JsonNode node, String key) {
    if (!node.has(key)) {
      throw wrong(key, "is missing");
    }
    return node.path(key);
  }

  private InvalidFileException wrong(String key, String reason) {
    return InvalidFileException.at(file, line, "'%s' %s".formatted(key, reason));
  }
}

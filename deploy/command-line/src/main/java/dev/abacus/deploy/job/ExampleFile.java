package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.TopK;
import dev.abacus.schemas.program.io.NameSuggestions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads validation examples and labels from JSON Lines files. */
public final class ExampleFile {

  private ExampleFile() {}

  /**
   * Reads validation examples. The result maps the id of an example to its value on the validation
   * topic.
   *
   * @throws dev.abacus.deploy.file.InvalidFileException if a line is not an example of the program
   */
  public static Map<String, ObjectNode> read(Path file, Program program) {
    Map<String, ObjectNode> examples = new LinkedHashMap<>();
    for (JsonLines.Line line : JsonLines.read(file)) {
      check(line, program);
      ObjectNode value = line.object().toJson();
      value.remove("id");
      String id = line.text("id");
      if (examples.put(id, value) != null) {
        throw line.wrong("a second example has the id '" + id + "'");
      }
    }
    return examples;
  }

  /**
   * Reads labels by document key (field {@code id}).
   *
   * @throws dev.abacus.deploy.file.InvalidFileException if a line has no labels for the program
   */
  public static Map<String, JsonNode> readLabels(Path file, Program program) {
    Map<String, JsonNode> labels = new LinkedHashMap<>();
    for (JsonLines.Line line : JsonLines.read(file)) {
      checkLabels(line, program);
      if (labels.put(line.text("id"), line.object().get("labels")) != null) {
        throw line.wrong("a second line has the id '" + line.text("id") + "'");
      }
    }
    return labels;
  }

  private static void check(JsonLines.Line line, Program program) {
    List<String> sources = program.sources().stream().map(source -> source.name()).toList();
    String source = line.text("source");
    if (!sources.contains(source)) {
      throw line.wrong(NameSuggestions.unknown("source", source, sources));
    }
    if (!line.object().get("document").isObject()) {
      throw line.wrong("'document' is missing or is not an object");
    }
    checkLabels(line, program);
  }

  private static void checkLabels(JsonLines.Line line, Program program) {
    JsonNode labels = line.object().get("labels");
    if (!labels.isMissingNode() && !labels.isObject()) {
      throw line.wrong("'labels' is not an object");
    }
    List<String> operators = program.operators().stream().map(operator -> operator.id()).toList();
    for (Map.Entry<String, JsonNode> label : labels.properties()) {
      LogicalOperator operator = program.operator(label.getKey());
      if (operator == null) {
        throw line.wrong(NameSuggestions.unknown("operator", label.getKey(), operators));
      }
      String problem = label.getValue().isNull() ? null : problem(operator, label.getValue());
      if (problem != null) {
        throw line.wrong("the label of '%s' %s".formatted(operator.id(), problem));
      }
    }
  }

  /** Describes what is wrong with a label; null if it is valid. */
  private static @Nullable String problem(LogicalOperator operator, JsonNode label) {
    return switch (operator) {
      case SemanticFilter _ -> label.isBoolean() ? null : "is neither true nor false";
      case SemanticMap map when label.isArray() && map.cardinality() == Cardinality.MANY -> null;
      case SemanticMap _, Aggregate _ -> fieldProblem(operator, label);
      case TopK _, ReferenceJoin _ ->
          label.isContainerNode() ? null : "is not a list of the keys of the right items";
      case SemanticRank _ -> rankProblem(label);
      case EntityResolution _ ->
          label.isTextual() || label.isNumber() || (label.isArray() && label.size() < 2)
              ? null
              : "is neither the key of the right item nor [] for none";
      default -> null;
    };
  }

  private static @Nullable String rankProblem(JsonNode label) {
    boolean gains =
        label.isObject()
            && label.valueStream().allMatch(gain -> gain.isNumber() && gain.doubleValue() >= 0);
    boolean keys = label.isArray() && label.valueStream().allMatch(JsonNode::isValueNode);
    return gains || keys
        ? null
        : "is neither a list of the keys of the right items nor an object with a number of at least 0 for each key";
  }

  private static @Nullable String fieldProblem(LogicalOperator operator, JsonNode label) {
    if (!label.isObject()) {
      return "is not an object of fields";
    }
    for (Map.Entry<String, JsonNode> field : label.properties()) {
      if (!operator.writtenFields().contains(field.getKey())) {
        return "has an "
            + NameSuggestions.unknown("field", field.getKey(), operator.writtenFields());
      }
    }
    return null;
  }
}

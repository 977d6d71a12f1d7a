package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldCheck;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.TopK;
import dev.abacus.schemas.program.io.NameSuggestions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads validation examples and labels from files. */
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
    JsonLines.read(
        file,
        line -> {
          ObjectNode value = line.object().toJson();
          value.remove("id");
          // First, so that a second one is found even if the first is wrong.
          putOnce(examples, line, "example", value);
          check(line, program);
          return value;
        });
    if (examples.isEmpty()) {
      throw InvalidFileException.of(file, "holds no validation example");
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
    JsonLines.read(
        file,
        line -> {
          checkLabels(line, program);
          return putOnce(labels, line, "line", line.object().get("labels"));
        });
    if (labels.isEmpty()) {
      throw InvalidFileException.of(file, "holds no labels");
    }
    return labels;
  }

  private static <T> T putOnce(Map<String, T> map, JsonLines.Line line, String what, T value) {
    String id = line.text("id");
    if (map.putIfAbsent(id, value) != null) {
      throw line.wrong("a second %s has the id '%s'".formatted(what, id));
    }
    return value;
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
      case SemanticMap map when label.isArray() && map.cardinality() == Cardinality.MANY ->
          label
              .valueStream()
              .map(output -> fieldProblem(map.writtenFields(), map.writes(), output))
              .filter(Objects::nonNull)
              .findFirst()
              .orElse(null);
      case SemanticMap map -> fieldProblem(map.writtenFields(), map.writes(), label);
      case Aggregate aggregate ->
          fieldProblem(aggregate.writtenFields(), aggregate.writes(), label);
      case TopK _, ReferenceJoin _ ->
          label.isContainerNode() ? null : "is not a list of the keys of the right items";
      case SemanticRank _ -> rankProblem(label);
      case EntityResolution _ ->
          label.isTextual() || label.isNumber() || (label.isArray() && label.size() < 2)
              ? null
              : "is neither the key of the right item nor [] for none";
      case StreamJoin _, Merge _, Project _, Limit _ -> null;
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

  /**
   * Describes what is wrong with an object of fields.
   *
   * @param names of all fields that the operator writes
   * @param typed those of them whose type the program states
   */
  private static @Nullable String fieldProblem(
      List<String> names, List<Field> typed, JsonNode label) {
    if (!label.isObject()) {
      return "is not an object of fields";
    }
    for (Map.Entry<String, JsonNode> field : label.properties()) {
      if (!names.contains(field.getKey())) {
        return "has an " + NameSuggestions.unknown("field", field.getKey(), names);
      }
    }
    FieldCheck check = FieldCheck.ofLabel();
    typed.stream()
        .filter(field -> label.has(field.name()))
        .forEach(field -> check.field(field, label.get(field.name())));
    return check.problems().isEmpty()
        ? null
        : "does not fit: " + String.join("; ", check.problems());
  }
}

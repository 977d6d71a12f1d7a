package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.prompt.FieldShape;
import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.prompt.Prompt.RequestedField;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The task of a call.
 *
 * @param properties properties of the answer object, in order; empty for plain text
 * @param schema whether the request enforces a schema
 * @param reasoning the property before these in which the model reasons; null if there is none
 */
public record Task(
    Kind kind, Map<String, FieldShape> properties, boolean schema, @Nullable String reasoning) {

  static final String ANSWERS = "answers";
  static final String ANSWER = "answer";
  static final String ID = "id";
  static final String SATISFIED = "satisfied";
  private static final String BATCH = "batch_";

  /** The kinds of prompts that the data plane sends. */
  public enum Kind {
    /** Fill fields of one object. */
    MAP,
    /** Fill a list of objects. */
    MAP_MANY,
    /** Decide a condition. */
    DECISION,
    /** Score an output. */
    JUDGEMENT,
    /** Criticize a draft. */
    CRITIQUE,
    /** Report what a draft lacks. */
    GAPS,
    /** Copy the passages that answer a question. */
    EXTRACT,
    /** Grade an item of a list. */
    GRADE,
    /** Order items of a list. */
    ORDER,
    /** Choose the better one of two items of a list. */
    COMPARISON,
    /** Choose the item for which a condition holds, or none. */
    CHOICE,
    /** Name all items for which a condition holds. */
    MATCHES,
    /** Answer for several documents at once. */
    BATCH,
    /** Write plain text. */
    TEXT
  }

  /**
   * Determines the task from the name of the response format, or else from the prompt.
   *
   * @param format the {@code response_format} of the request, or null
   */
  public static Task of(@Nullable JsonNode format, Prompt prompt) {
    JsonNode named = format == null ? null : format.path("json_schema");
    if (named == null || !named.path("schema").isObject()) {
      return withoutSchema(prompt);
    }
    Map<String, FieldShape> properties =
        new LinkedHashMap<>(FieldShape.of(named.path("schema")).properties());
    // The schema as text may state bounds that the endpoint does not enforce.
    prompt.schemaInText().forEach((name, shape) -> properties.replace(name, shape));
    String reasoning = reasoning(properties, prompt);
    if (reasoning != null) {
      properties.remove(reasoning);
    }
    return new Task(
        kind(named.path("name").asText(), properties, prompt), properties, true, reasoning);
  }

  /** The first property, if the prompt asks for reasoning there; else null. */
  private static @Nullable String reasoning(Map<String, FieldShape> properties, Prompt prompt) {
    String first = properties.isEmpty() ? "" : properties.keySet().iterator().next();
    return properties.size() > 1
            && first.startsWith("reasoning")
            && prompt.text().contains("begins with one more field, \"" + first + "\"")
        ? first
        : null;
  }

  /** The task that a batch asks of each document. */
  Task each(Prompt item) {
    FieldShape entries = properties.get(ANSWERS);
    FieldShape entry = entries == null ? null : entries.items();
    FieldShape answer = entry == null ? null : entry.properties().get(ANSWER);
    Map<String, FieldShape> asked = answer == null ? Map.of() : answer.properties();
    boolean lists = asked.size() == 1 && asked.containsKey("outputs");
    return new Task(kind(lists ? "map_outputs" : "", asked, item), asked, schema, null);
  }

  /** The decision of one condition. */
  Task decision() {
    return new Task(Kind.DECISION, Map.of(SATISFIED, FieldShape.ofWords("boolean")), schema, null);
  }

  /**
   * Answers every property.
   *
   * @param value gives a value for the name and the shape of a property; it is made to fit the
   *     shape
   */
  List<FieldAnswer> answers(double confidence, BiFunction<String, FieldShape, JsonNode> value) {
    return properties.entrySet().stream()
        .map(property -> {
          FieldShape shape = property.getValue();
          JsonNode given = value.apply(property.getKey(), shape);
          return new FieldAnswer(property.getKey(), SchemaCoercion.fit(given, shape), confidence);
        })
        .toList();
  }

  private static Kind kind(String name, Map<String, FieldShape> properties, Prompt prompt) {
    return switch (name) {
      case "map_output" -> Kind.MAP;
      case "map_outputs" -> Kind.MAP_MANY;
      case "filter_decision" -> Kind.DECISION;
      case "judgement" -> Kind.JUDGEMENT;
      case "critique" -> Kind.CRITIQUE;
      case "gaps" -> Kind.GAPS;
      case "extract" -> Kind.EXTRACT;
      case "rank_grade" -> Kind.GRADE;
      case "rank_order" -> Kind.ORDER;
      case "rank_comparison" -> Kind.COMPARISON;
      case "item_choice" -> Kind.CHOICE;
      case "item_matches" -> Kind.MATCHES;
      case String batch when batch.startsWith(BATCH) -> Kind.BATCH;
      default -> {
        boolean decides =
            properties.values().stream().anyMatch(one -> one.type() == FieldShape.Type.BOOLEAN);
        yield prompt.condition() != null && decides ? Kind.DECISION : Kind.MAP;
      }
    };
  }

  private static Task withoutSchema(Prompt prompt) {
    Map<String, FieldShape> properties = new LinkedHashMap<>();
    if (prompt.condition() != null) {
      properties.put(SATISFIED, FieldShape.ofWords("boolean"));
      return new Task(Kind.DECISION, properties, false, null);
    }
    Map<String, FieldShape> inText = prompt.schemaInText();
    for (RequestedField field : prompt.fields()) {
      FieldShape shape = inText.get(field.name());
      properties.put(field.name(), shape == null ? FieldShape.ofWords(field.type()) : shape);
    }
    return new Task(properties.isEmpty() ? Kind.TEXT : Kind.MAP, properties, false, null);
  }
}

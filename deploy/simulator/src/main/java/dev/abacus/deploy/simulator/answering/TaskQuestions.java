package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.prompt.FieldShape;
import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns a prompt and its task into questions, each with its ground truth where it is known. */
record TaskQuestions(Prompt prompt, Task task, QuotedTruth truths) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OUTPUTS = "outputs";

  /** One question per property of the answer. */
  List<Question> fields() {
    return task.properties().entrySet().stream()
        .map(field -> new Question(field.getKey(), field.getValue(), truths.field(field.getKey())))
        .toList();
  }

  /** One question per property of the answer, where a list of objects is one question. */
  List<Question> lists() {
    List<Question> questions = new ArrayList<>();
    task.properties()
        .forEach((name, shape) -> {
          FieldShape items = shape.items();
          questions.add(
              new Question(
                  name,
                  shape,
                  items == null ? truths.field(name) : truths.items(items.properties().keySet())));
        });
    return questions;
  }

  /** The decision of a condition; it belongs to the first boolean property. */
  List<Question> decision() {
    List<Question> questions = new ArrayList<>();
    boolean decided = false;
    for (Map.Entry<String, FieldShape> property : task.properties().entrySet()) {
      String name = property.getKey();
      FieldShape shape = property.getValue();
      boolean decides = !decided && shape.type() == FieldShape.Type.BOOLEAN;
      List<GroundTruth> conditions = decides ? truths.conditions(prompt.conditions()) : List.of();
      questions.add(
          conditions.isEmpty()
              ? new Question(name, shape, null)
              : new Question(name, shape, GroundTruth.conjunction(conditions), conditions));
      decided |= decides;
    }
    return questions;
  }

  /** The questions that a draft answers, or that passages are extracted for. */
  List<Question> reviewed() {
    JsonNode draft = draft();
    List<Question> questions = new ArrayList<>();
    FieldShape text = FieldShape.ofWords("string");
    if (prompt.condition() != null) {
      String name = draft.isEmpty() ? "satisfied" : draft.fieldNames().next();
      List<GroundTruth> conditions = truths.conditions(prompt.conditions());
      if (task.kind() == Task.Kind.EXTRACT) {
        conditions.forEach(truth -> questions.add(new Question(name, text, truth)));
      } else if (!conditions.isEmpty()) {
        questions.add(new Question(name, text, GroundTruth.conjunction(conditions)));
      }
    } else if (draft.has(OUTPUTS)) {
      List<String> names = prompt.fields().stream().map(Prompt.RequestedField::name).toList();
      questions.add(new Question(OUTPUTS, text, truths.items(names)));
    } else {
      asked(draft).forEach(name -> questions.add(new Question(name, text, truths.field(name))));
    }
    return questions;
  }

  /** The ground truth that a judge compares an output with. */
  List<GroundTruth> judged(JsonNode output) {
    List<GroundTruth> known = new ArrayList<>(truths.fields(asked(output)));
    List<GroundTruth> conditions =
        prompt.condition() == null ? List.of() : truths.conditions(prompt.conditions());
    if (!conditions.isEmpty()) {
      known.add(GroundTruth.conjunction(conditions));
    }
    return known;
  }

  /** The draft in the prompt; an empty object if there is none. */
  JsonNode draft() {
    return parsed(prompt.draft());
  }

  /** The output that is to be scored; an empty object if there is none. */
  JsonNode output() {
    return parsed(prompt.output());
  }

  private Collection<String> asked(JsonNode output) {
    if (!prompt.fields().isEmpty()) {
      return prompt.fields().stream().map(Prompt.RequestedField::name).toList();
    }
    return output.properties().stream().map(Map.Entry::getKey).toList();
  }

  private static JsonNode parsed(@Nullable String text) {
    return text == null ? JsonNodeFactory.instance.objectNode() : parse(text);
  }

  /** Reads a JSON list; a missing node if it fails. */
  static JsonNode parseList(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      return JsonNodeFactory.instance.missingNode();
    }
  }

  /** Reads JSON, with or without prose or a code fence around it; a missing node if it fails. */
  static JsonNode parse(String text) {
    int from = text.indexOf('{');
    int to = text.lastIndexOf('}');
    return parseList(from >= 0 && to > from ? text.substring(from, to + 1) : text);
  }
}

package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldCheck;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.topology.model.ResponseSchema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The format of an answer: a JSON object with these fields and no others.
 *
 * @param name the name of the response schema
 * @param fields the fields of the object
 * @param reader converts an object that has passed the check
 * @param reasoning the text before the fields in which the model reasons; not part of the parsed
 *     answer, which may lack it. Null if there is none
 * @param <A> the type of a parsed answer
 */
public record AnswerFormat<A>(
    String name, List<Field> fields, Function<ObjectNode, A> reader, @Nullable Field reasoning) {

  /** The name of the one field of a decision. */
  private static final String SATISFIED = "satisfied";

  private record SchemaKey(String name, List<Field> fields) {}

  /** Each document has a format of its own; the schemas are those of few operators. */
  private static final Cache<SchemaKey, ResponseSchema> SCHEMAS =
      Caffeine.newBuilder().maximumSize(1000).build();

  /** The result of parsing an answer. */
  public sealed interface Parsed<A> {

    /** The answer has the format. */
    record Valid<A>(A answer) implements Parsed<A> {}

    /** The answer does not have the format; the next prompt tells the model these problems. */
    record Invalid<A>(List<String> problems) implements Parsed<A> {
      public Invalid {
        problems = List.copyOf(problems);
      }
    }
  }

  public AnswerFormat {
    fields = List.copyOf(fields);
  }

  /** An object without reasoning. */
  public AnswerFormat(String name, List<Field> fields, Function<ObjectNode, A> reader) {
    this(name, fields, reader, null);
  }

  /** This format with a text before the fields in which the model reasons. */
  AnswerFormat<A> withReasoning() {
    String free = "reasoning";
    while (isUsed(free)) {
      free += "_";
    }
    return new AnswerFormat<>(
        name,
        fields,
        reader,
        new Field(free, new FieldType.StringType(List.of()), "what leads to the answer", false));
  }

  private boolean isUsed(String field) {
    return fields.stream().anyMatch(one -> one.name().equals(field));
  }

  /** The fields that the response schema asks for: the reasoning, if any, then the others. */
  List<Field> schemaFields() {
    if (reasoning == null) {
      return fields;
    }
    List<Field> all = new ArrayList<>();
    all.add(reasoning);
    all.addAll(fields);
    return all;
  }

  /**
   * An object with one field.
   *
   * @param meaning the description of the field for the model
   * @param reader converts the value of the field
   */
  public static <A> AnswerFormat<A> of(
      String name, String field, FieldType type, String meaning, Function<JsonNode, A> reader) {
    return new AnswerFormat<>(
        name,
        List.of(new Field(field, type, meaning, false)),
        answer -> reader.apply(answer.path(field)));
  }

  /** An object with these fields, read as a document. */
  public static AnswerFormat<Document> document(List<Field> fields) {
    return new AnswerFormat<>("map_output", fields, Document::of);
  }

  /**
   * A truth value. A text that contains "true" is none.
   *
   * @param meaning the description of the value for the model
   */
  public static AnswerFormat<Boolean> decision(String meaning) {
    return of(
        "filter_decision", SATISFIED, new FieldType.BooleanType(), meaning, JsonNode::booleanValue);
  }

  /** A decision as a model writes it. */
  public static ObjectNode decisionJson(boolean satisfied) {
    return JsonNodeFactory.instance.objectNode().put(SATISFIED, satisfied);
  }

  /** The response schema to send with the request. */
  public ResponseSchema schema() {
    return SCHEMAS.get(
        new SchemaKey(name, schemaFields()),
        key -> new ResponseSchema(key.name(), FieldSchema.of(key.fields())));
  }

  /**
   * Parses the text of an answer; the endpoint may have ignored the response schema. Looks for the
   * object inside Markdown and prose, and mends what has one meaning ({@link AnswerMender}). An
   * answer with several different valid objects is invalid.
   */
  public Parsed<A> parse(String text) {
    Set<ObjectNode> valid = new LinkedHashSet<>();
    List<String> problems = new ArrayList<>();
    for (ObjectNode object : AnswerText.objects(text)) {
      FieldCheck validator = new FieldCheck();
      ObjectNode checked = validator.object(fields, AnswerMender.mend(fields, object));
      if (validator.problems().isEmpty()) {
        valid.add(checked);
      } else if (problems.isEmpty()) {
        problems.addAll(validator.problems());
      }
    }
    if (valid.size() > 1) {
      return new Parsed.Invalid<>(List.of("there are several different JSON objects in it"));
    }
    if (valid.isEmpty() && problems.isEmpty()) {
      return new Parsed.Invalid<>(List.of("there is no valid JSON object in it"));
    }
    return valid.isEmpty()
        ? new Parsed.Invalid<>(problems)
        : new Parsed.Valid<>(reader.apply(valid.iterator().next()));
  }
}

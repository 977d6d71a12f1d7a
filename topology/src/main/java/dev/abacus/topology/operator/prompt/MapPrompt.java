package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks for the fields that a map writes. */
public record MapPrompt(SemanticMap map) implements OperatorPrompt<Document> {

  private static final PromptTemplate SYSTEM = PromptTemplate.of(MapPrompt.class, "map.txt");

  @Override
  public String system() {
    return SYSTEM.system(this);
  }

  @Override
  public AnswerFormat<Document> format() {
    return AnswerFormat.document(map.writes());
  }

  @Override
  public String task() {
    return task(map);
  }

  static String task(SemanticMap map) {
    return PromptMarkup.section("instruction", map.instruction())
        + "\n"
        + PromptMarkup.section("fields", FieldDescriptions.of(map.writes()));
  }

  @Override
  public String topic() {
    return topic(map);
  }

  static String topic(SemanticMap map) {
    return map.instruction()
        + map.writes().stream()
            .filter(field -> !field.description().isBlank())
            .map(Field::description)
            .collect(Collectors.joining("\n", "\n", ""))
            .stripTrailing();
  }

  /** The same prompt for a subset of the fields. */
  public MapPrompt only(List<Field> fields) {
    return new MapPrompt(map.withWrites(fields));
  }

  /** Allows null for all fields except lists, which may be empty. */
  @Override
  public MapPrompt ofPart() {
    return only(
        map.writes().stream()
            .map(field ->
                field.type() instanceof FieldType.ListType
                    ? field
                    : new Field(field.name(), field.type(), field.description(), true))
            .toList());
  }

  @Override
  public ObjectNode json(Document answer) {
    return answer.toJson();
  }

  @Override
  public @Nullable ObjectNode ofLabel(JsonNode label) {
    return label instanceof ObjectNode object ? object : null;
  }

  /** Unites lists; for other fields the second value replaces the first, unless it is empty. */
  @Override
  public Document combine(Document first, Document second) {
    Document combined = first;
    for (String field : second.fieldNames()) {
      JsonNode value = second.get(field);
      if (value.isArray()) {
        combined = combined.with(field, AnswerValues.union(List.of(first.get(field), value)));
      } else if (!AnswerValues.isEmpty(value)) {
        combined = combined.with(field, value);
      }
    }
    return combined;
  }

  @Override
  public OperatorOutcome outcome(Document document, Document answer, ExecutionStats stats) {
    return new OperatorOutcome.Kept(document.with(answer), stats);
  }

  @Override
  public @Nullable JsonNode output(OperatorOutcome outcome) {
    return outcome instanceof OperatorOutcome.Kept kept
        ? kept.document().only(map.writtenFields()).toJson()
        : null;
  }
}

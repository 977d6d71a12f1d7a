package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks for the fields that a map writes. */
public record MapPrompt(SemanticMap map) implements OperatorPrompt<Document> {

  private static final PromptTemplate SYSTEM = PromptTemplate.beside(MapPrompt.class, "map.txt");

  @Override
  public String system() {
    return SYSTEM.text() + "\n\n" + task();
  }

  @Override
  public String task() {
    return task(map);
  }

  static String task(SemanticMap map) {
    return PromptMarkup.section("instruction", map.instruction())
        + "\n"
        + PromptMarkup.section("fields", FieldLines.of(map.writes()));
  }

  @Override
  public ResponseSchema responseSchema() {
    return new ResponseSchema("map_output", FieldSchema.of(map.writes()));
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

  /** The same question for some of the fields only. */
  public MapPrompt only(List<Field> fields) {
    return new MapPrompt(
        new SemanticMap(
            map.id(), map.input(), map.instruction(), map.reads(), fields, map.cardinality()));
  }

  /** With null allowed everywhere but in lists, which may be empty. */
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
  public ParsedAnswer<Document> read(ObjectNode answer) {
    FieldCheck check = new FieldCheck();
    ObjectNode fields = check.object(map.writes(), answer);
    return check.problems().isEmpty()
        ? new ParsedAnswer.Understood<>(Document.of(fields))
        : new ParsedAnswer.NotUnderstood<>(check.problems());
  }

  @Override
  public ObjectNode json(Document answer) {
    return answer.toJson();
  }

  /** Lists are united; of other fields the second look's value counts, if it has one. */
  @Override
  public Document added(Document first, Document second) {
    Document sum = first;
    for (String field : second.fieldNames()) {
      JsonNode value = second.get(field);
      if (value.isArray()) {
        sum = sum.with(field, AnswerValues.of(List.of(first.get(field), value)));
      } else if (!AnswerValues.isNothing(value)) {
        sum = sum.with(field, value);
      }
    }
    return sum;
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

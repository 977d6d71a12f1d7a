package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.ResponseSchema;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks for the fields that a map writes. */
public record MapQuestion(SemanticMap map) implements OperatorQuestion<Document> {

  private static final PromptTemplate SYSTEM = PromptTemplate.beside(MapQuestion.class, "map.txt");

  @Override
  public String system() {
    return SYSTEM.fill(
        Map.of("instruction", map.instruction(), "fields", FieldLines.of(map.writes())));
  }

  @Override
  public ResponseSchema responseSchema() {
    return new ResponseSchema("map_output", FieldSchema.of(map.writes()));
  }

  @Override
  public String topic() {
    return map.instruction()
        + map.writes().stream()
            .filter(field -> !field.description().isBlank())
            .map(Field::description)
            .collect(Collectors.joining("\n", "\n", ""))
            .stripTrailing();
  }

  @Override
  public Reading<Document> read(ObjectNode answer) {
    FieldCheck check = new FieldCheck();
    ObjectNode fields = check.object(map.writes(), answer);
    return check.problems().isEmpty()
        ? new Reading.Understood<>(Document.of(fields))
        : new Reading.NotUnderstood<>(check.problems());
  }

  @Override
  public OperatorOutcome outcome(Document document, Document answer, Expense expense) {
    return new OperatorOutcome.Kept(document.with(answer), expense);
  }

  @Override
  public @Nullable JsonNode output(OperatorOutcome outcome) {
    return outcome instanceof OperatorOutcome.Kept kept
        ? kept.document().only(map.writtenFields()).toJson()
        : null;
  }
}

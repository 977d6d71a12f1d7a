package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.ResponseSchema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks whether a filter's condition holds. The answer is a truth value of JSON; words that contain
 * "true" are none.
 */
public record FilterQuestion(SemanticFilter filter) implements OperatorQuestion<Boolean> {

  private static final PromptTemplate SYSTEM =
      PromptTemplate.beside(FilterQuestion.class, "filter.txt");
  private static final String SATISFIED = "satisfied";
  private static final List<Field> DECISION =
      List.of(
          new Field(
              SATISFIED,
              new FieldType.Bool(),
              "whether the condition holds for the document",
              false));

  @Override
  public String system() {
    return SYSTEM.fill(Map.of("condition", filter.condition()));
  }

  @Override
  public ResponseSchema responseSchema() {
    return new ResponseSchema("filter_decision", FieldSchema.of(DECISION));
  }

  @Override
  public String topic() {
    return filter.condition();
  }

  @Override
  public Reading<Boolean> read(ObjectNode answer) {
    FieldCheck check = new FieldCheck();
    ObjectNode decision = check.object(DECISION, answer);
    return check.problems().isEmpty()
        ? new Reading.Understood<>(decision.path(SATISFIED).booleanValue())
        : new Reading.NotUnderstood<>(check.problems());
  }

  @Override
  public OperatorOutcome outcome(Document document, Boolean answer, Expense expense) {
    return answer
        ? new OperatorOutcome.Kept(document, expense)
        : new OperatorOutcome.Dropped(expense);
  }

  @Override
  public @Nullable JsonNode output(OperatorOutcome outcome) {
    return switch (outcome) {
      case OperatorOutcome.Kept _ -> decision(true);
      case OperatorOutcome.Dropped _ -> decision(false);
      case OperatorOutcome.Failed _ -> null;
    };
  }

  private static JsonNode decision(boolean satisfied) {
    return JsonNodeFactory.instance.objectNode().put(SATISFIED, satisfied);
  }
}

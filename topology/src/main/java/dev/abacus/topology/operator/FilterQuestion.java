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
    return SYSTEM.text() + "\n\n" + task();
  }

  @Override
  public String task() {
    return Fence.section("condition", filter.condition());
  }

  @Override
  public ResponseSchema responseSchema() {
    return form();
  }

  static ResponseSchema form() {
    return new ResponseSchema("filter_decision", FieldSchema.of(DECISION));
  }

  @Override
  public String topic() {
    return filter.condition();
  }

  @Override
  public Reading<Boolean> read(ObjectNode answer) {
    return decision(answer);
  }

  static Reading<Boolean> decision(ObjectNode answer) {
    FieldCheck check = new FieldCheck();
    ObjectNode decision = check.object(DECISION, answer);
    return check.problems().isEmpty()
        ? new Reading.Understood<>(decision.path(SATISFIED).booleanValue())
        : new Reading.NotUnderstood<>(check.problems());
  }

  @Override
  public ObjectNode json(Boolean answer) {
    return decision(answer.booleanValue());
  }

  /** As it is: the condition does not hold as far as a part shows, if the part says nothing. */
  @Override
  public FilterQuestion ofPart() {
    return this;
  }

  /** A decision has no parts: the second look decides. */
  @Override
  public Boolean added(Boolean first, Boolean second) {
    return second;
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

  private static ObjectNode decision(boolean satisfied) {
    return JsonNodeFactory.instance.objectNode().put(SATISFIED, satisfied);
  }
}

package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.ResponseSchema;
import org.jspecify.annotations.Nullable;

/** Asks whether a filter's condition holds. */
public record FilterQuestion(SemanticFilter filter) implements OperatorQuestion<Boolean> {

  private static final PromptTemplate SYSTEM =
      PromptTemplate.beside(FilterQuestion.class, "filter.txt");
  static final Decision DECISION = new Decision("whether the condition holds for the document");

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
    return DECISION.schema();
  }

  @Override
  public String topic() {
    return filter.condition();
  }

  @Override
  public Reading<Boolean> read(ObjectNode answer) {
    return DECISION.read(answer);
  }

  @Override
  public ObjectNode json(Boolean answer) {
    return Decision.json(answer.booleanValue());
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
      case OperatorOutcome.Kept _ -> Decision.json(true);
      case OperatorOutcome.Dropped _ -> Decision.json(false);
      case OperatorOutcome.Failed _ -> null;
    };
  }
}

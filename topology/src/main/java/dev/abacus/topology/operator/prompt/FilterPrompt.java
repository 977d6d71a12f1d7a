package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import org.jspecify.annotations.Nullable;

/** Asks whether a filter's condition holds. */
public record FilterPrompt(SemanticFilter filter) implements OperatorPrompt<Boolean> {

  private static final PromptTemplate SYSTEM =
      PromptTemplate.beside(FilterPrompt.class, "filter.txt");
  public static final DecisionFormat DECISION =
      new DecisionFormat("whether the condition holds for the document");

  @Override
  public String system() {
    return SYSTEM.text() + "\n\n" + task();
  }

  @Override
  public String task() {
    return PromptMarkup.section("condition", filter.condition());
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
  public ParsedAnswer<Boolean> read(ObjectNode answer) {
    return DECISION.read(answer);
  }

  @Override
  public ObjectNode json(Boolean answer) {
    return DecisionFormat.json(answer.booleanValue());
  }

  /** As it is: the condition does not hold as far as a part shows, if the part says nothing. */
  @Override
  public FilterPrompt ofPart() {
    return this;
  }

  /** A decision has no parts: the second look decides. */
  @Override
  public Boolean added(Boolean first, Boolean second) {
    return second;
  }

  @Override
  public OperatorOutcome outcome(Document document, Boolean answer, ExecutionStats stats) {
    return answer ? new OperatorOutcome.Kept(document, stats) : new OperatorOutcome.Dropped(stats);
  }

  @Override
  public @Nullable JsonNode output(OperatorOutcome outcome) {
    return switch (outcome) {
      case OperatorOutcome.Kept _ -> DecisionFormat.json(true);
      case OperatorOutcome.Dropped _ -> DecisionFormat.json(false);
      case OperatorOutcome.Failed _ -> null;
    };
  }
}

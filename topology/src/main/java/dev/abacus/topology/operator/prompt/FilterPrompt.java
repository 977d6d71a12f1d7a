package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import org.jspecify.annotations.Nullable;

/** Asks whether a filter's condition holds. */
public record FilterPrompt(SemanticFilter filter) implements OperatorPrompt<Boolean> {

  /** The format of a decision about one document. */
  public static final AnswerFormat<Boolean> DECISION =
      AnswerFormat.decision("whether the condition holds for the document");

  private static final PromptTemplate SYSTEM = PromptTemplate.of(FilterPrompt.class, "filter.txt");

  @Override
  public String system() {
    return SYSTEM.system(this);
  }

  @Override
  public AnswerFormat<Boolean> format() {
    return DECISION;
  }

  @Override
  public String task() {
    return PromptMarkup.section("condition", filter.condition());
  }

  @Override
  public String topic() {
    return filter.condition();
  }

  /** Unchanged: for a part without evidence the condition does not hold. */
  @Override
  public FilterPrompt ofPart() {
    return this;
  }

  @Override
  public ObjectNode json(Boolean answer) {
    return AnswerFormat.decisionJson(answer);
  }

  @Override
  public @Nullable ObjectNode ofLabel(JsonNode label) {
    return label.isBoolean() ? json(label.booleanValue()) : null;
  }

  /** The second decision. */
  @Override
  public Boolean combine(Boolean first, Boolean second) {
    return second;
  }

  @Override
  public OperatorOutcome outcome(Document document, Boolean answer, ExecutionStats stats) {
    return answer ? new OperatorOutcome.Kept(document, stats) : new OperatorOutcome.Dropped(stats);
  }

  @Override
  public @Nullable JsonNode output(OperatorOutcome outcome) {
    return switch (outcome) {
      case OperatorOutcome.Kept _ -> AnswerFormat.decisionJson(true);
      case OperatorOutcome.Dropped _ -> AnswerFormat.decisionJson(false);
      case OperatorOutcome.Failed _ -> null;
    };
  }
}

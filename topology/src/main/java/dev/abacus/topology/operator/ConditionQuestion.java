package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.topology.model.ResponseSchema;

/** Asks whether a condition holds that the user message names behind the document. */
enum ConditionQuestion implements Question<Boolean> {
  THE_ONE_BELOW;

  private static final PromptTemplate SYSTEM =
      PromptTemplate.beside(ConditionQuestion.class, "condition.txt");

  @Override
  public String system() {
    return SYSTEM.text();
  }

  @Override
  public ResponseSchema responseSchema() {
    return FilterQuestion.DECISION.schema();
  }

  @Override
  public Reading<Boolean> read(ObjectNode answer) {
    return FilterQuestion.DECISION.read(answer);
  }
}

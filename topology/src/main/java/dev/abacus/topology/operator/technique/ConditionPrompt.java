package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.operator.prompt.FilterPrompt;
import dev.abacus.topology.operator.prompt.ParsedAnswer;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;

/** Asks whether a condition holds that the user message names behind the document. */
enum ConditionPrompt implements Prompt<Boolean> {
  THE_ONE_BELOW;

  private static final PromptTemplate SYSTEM =
      PromptTemplate.beside(ConditionPrompt.class, "condition.txt");

  @Override
  public String system() {
    return SYSTEM.text();
  }

  @Override
  public ResponseSchema responseSchema() {
    return FilterPrompt.DECISION.schema();
  }

  @Override
  public ParsedAnswer<Boolean> read(ObjectNode answer) {
    return FilterPrompt.DECISION.read(answer);
  }
}

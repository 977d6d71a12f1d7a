package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.operator.prompt.DecisionFormat;
import dev.abacus.topology.operator.prompt.ParsedAnswer;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import java.util.Map;

/**
 * Asks whether a join's condition holds for two documents.
 *
 * @param condition a statement that is true or false of the two
 */
public record JoinPrompt(String condition) implements Prompt<Boolean> {

  private static final PromptTemplate SYSTEM = PromptTemplate.beside(JoinPrompt.class, "join.txt");
  private static final DecisionFormat DECISION =
      new DecisionFormat("whether the condition holds for the two documents");

  @Override
  public String system() {
    return SYSTEM.fill(Map.of("condition", condition));
  }

  @Override
  public ResponseSchema responseSchema() {
    return DECISION.schema();
  }

  @Override
  public ParsedAnswer<Boolean> read(ObjectNode answer) {
    return DECISION.read(answer);
  }
}

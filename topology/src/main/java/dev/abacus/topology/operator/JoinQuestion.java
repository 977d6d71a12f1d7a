package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.topology.model.ResponseSchema;
import java.util.Map;

/**
 * Asks whether a join's condition holds for two documents.
 *
 * @param condition a statement that is true or false of the two
 */
public record JoinQuestion(String condition) implements Question<Boolean> {

  private static final PromptTemplate SYSTEM =
      PromptTemplate.beside(JoinQuestion.class, "join.txt");
  private static final Decision DECISION =
      new Decision("whether the condition holds for the two documents");

  @Override
  public String system() {
    return SYSTEM.fill(Map.of("condition", condition));
  }

  @Override
  public ResponseSchema responseSchema() {
    return DECISION.schema();
  }

  @Override
  public Reading<Boolean> read(ObjectNode answer) {
    return DECISION.read(answer);
  }
}

package dev.abacus.topology.operator.join;

import dev.abacus.schemas.document.Document;
import dev.abacus.topology.operator.prompt.AnswerFormat;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import java.util.Map;

/** Asks whether a join's condition holds for two documents. */
public final class JoinPrompt {

  private static final PromptTemplate SYSTEM = PromptTemplate.of(JoinPrompt.class, "join.txt");
  private static final AnswerFormat<Boolean> DECISION =
      AnswerFormat.decision("whether the condition holds for the two documents");

  private JoinPrompt() {}

  /**
   * The prompt about a pair.
   *
   * @param condition a statement that is true or false for two documents
   */
  public static Prompt<Boolean> of(String condition, Document left, Document right) {
    return new Prompt<>(
        SYSTEM.fill(Map.of("condition", condition)), DocumentMessage.ofPair(left, right), DECISION);
  }
}

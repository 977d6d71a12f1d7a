package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.topology.operator.prompt.AnswerFormat;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import java.util.List;
import java.util.Map;

/** Asks for which of several items a condition holds. */
public final class ChoicePrompt {

  private static final PromptTemplate SYSTEM = PromptTemplate.of(ChoicePrompt.class, "choose.txt");
  private static final AnswerFormat<Integer> NUMBER =
      new AnswerFormat<>(
          "item_choice",
          List.of(
              new Field(
                  "item",
                  new FieldType.IntegerType(0L, null),
                  "the number of the item; 0 for none",
                  false)),
          answer ->
              answer.path("item").canConvertToInt()
                  ? answer.path("item").intValue()
                  : Integer.MAX_VALUE);

  private ChoicePrompt() {}

  /** The prompt about a document and items; the answer is the number of an item, or 0. */
  public static Prompt<Integer> of(String condition, Document document, List<JsonNode> items) {
    return new Prompt<>(
        SYSTEM.fill(Map.of("condition", condition)),
        DocumentMessage.ofItems(document, items),
        NUMBER);
  }
}

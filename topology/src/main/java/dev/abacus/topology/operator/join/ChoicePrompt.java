package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.FieldType.IntegerType;
import dev.abacus.schemas.program.FieldType.ListType;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelFailure.ContextTooLong;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.prompt.AnswerFormat;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.Execution;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Asks for which of several items a condition holds. The answer is a list of the numbers of these
 * items, empty for none; a number that no item has is an answer of the wrong form, about which the
 * model is asked again.
 *
 * @param system the template of the system message, about a condition
 * @param form the name of the response schema
 * @param field the one field of the answer
 * @param meaning the description of the field for the model
 * @param type the type of the field for a number of items
 * @param reader the numbers in the value of the field
 */
public record ChoicePrompt(
    PromptTemplate system,
    String form,
    String field,
    String meaning,
    IntFunction<FieldType> type,
    Function<JsonNode, List<Integer>> reader) {

  /** At most one item: the one that is the same entity. */
  public static final ChoicePrompt ONE =
      new ChoicePrompt(
          PromptTemplate.of(ChoicePrompt.class, "choose.txt"),
          "item_choice",
          "item",
          "the number of the item; 0 for none",
          items -> new IntegerType(0L, (long) items),
          answer -> answer.intValue() == 0 ? List.of() : List.of(answer.intValue()));

  /** All items that match. */
  public static final ChoicePrompt ALL =
      new ChoicePrompt(
          PromptTemplate.of(ChoicePrompt.class, "match.txt"),
          "item_matches",
          "items",
          "the numbers of the items for which the condition holds; empty for none",
          items -> new ListType(new IntegerType(1L, (long) items)),
          answer -> answer.valueStream().map(JsonNode::intValue).distinct().toList());

  /** The prompt about a document and items; the answer has the numbers of items, from 1. */
  public Prompt<List<Integer>> about(String condition, Document document, List<JsonNode> items) {
    return new Prompt<>(
        system.fill(Map.of("condition", condition)),
        DocumentMessage.ofItems(document, items),
        AnswerFormat.of(form, field, type.apply(items.size()), meaning, reader));
  }

  /**
   * Asks a model about all candidates in one call; in halves, until they fit, if they exceed its
   * context. Without candidates there is no call.
   *
   * @return the candidates that it names, in their order
   * @throws OperatorFailedException without a valid answer, or if one candidate alone does not fit
   */
  List<Candidate> ask(
      Execution execution,
      String model,
      String condition,
      Document document,
      List<Candidate> candidates)
      throws InterruptedException, OperatorFailedException {
    if (candidates.isEmpty()) {
      return List.of();
    }
    List<JsonNode> items =
        candidates.stream()
            .<JsonNode>map(candidate -> candidate.item().document().toJson())
            .toList();
    return switch (execution.attempt(model, about(condition, document, items))) {
      case StructuredAnswer.Failed<List<Integer>>(ContextTooLong _, ExecutionStats _)
          when candidates.size() > 1 -> {
        int half = candidates.size() / 2;
        List<Candidate> named =
            new ArrayList<>(
                ask(execution, model, condition, document, candidates.subList(0, half)));
        named.addAll(
            ask(
                execution,
                model,
                condition,
                document,
                candidates.subList(half, candidates.size())));
        yield named;
      }
      case StructuredAnswer<List<Integer>> answer ->
          Execution.valid(model, answer).stream()
              .sorted()
              .map(number -> candidates.get(number - 1))
              .toList();
    };
  }
}

package dev.abacus.topology.operator.rank;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.topology.operator.prompt.AnswerFormat;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Asks about some items of a list. The items are numbered from 1.
 *
 * @param system the template of the system message, about a criterion
 * @param <A> the type of a parsed answer
 */
public record RankPrompt<A>(PromptTemplate system, AnswerFormat<A> format) {

  /** The grade of one item, from 0 to 100. */
  static final RankPrompt<Integer> GRADE =
      new RankPrompt<>(
          PromptTemplate.of(RankPrompt.class, "grade.txt"),
          AnswerFormat.of(
              "rank_grade",
              "grade",
              new FieldType.IntegerType(0L, 100L),
              "how well the item meets the criterion",
              JsonNode::intValue));

  /** The numbers of the items, best first, as the model states them. */
  public static final RankPrompt<List<Integer>> ORDER =
      new RankPrompt<>(
          PromptTemplate.of(RankPrompt.class, "order.txt"),
          AnswerFormat.of(
              "rank_order",
              "order",
              new FieldType.ListType(new FieldType.IntegerType(null, null)),
              "the numbers of the items, best first",
              RankPrompt::numbers));

  /** Whether the first of two items is the better one. */
  static final RankPrompt<Boolean> COMPARISON =
      new RankPrompt<>(
          PromptTemplate.of(RankPrompt.class, "compare.txt"),
          AnswerFormat.of(
              "rank_comparison",
              "better",
              new FieldType.IntegerType(1L, 2L),
              "the number of the better item",
              better -> better.intValue() == 1));

  private static List<Integer> numbers(JsonNode order) {
    return order
        .valueStream()
        .map(number -> number.canConvertToInt() ? number.intValue() : 0)
        .toList();
  }

  /** The part of a document that the model sees before the items. */
  public static Document shown(SemanticRank rank, Document document) {
    List<String> fields =
        new ArrayList<>(rank.shown().isEmpty() ? document.fieldNames() : rank.shown());
    fields.remove(rank.items());
    return document.only(fields);
  }

  /**
   * The prompt about some items.
   *
   * @param shown the part of the document that the model sees
   */
  public Prompt<A> about(SemanticRank rank, Document shown, List<JsonNode> items) {
    return new Prompt<>(
        system.fill(Map.of("criterion", rank.criterion())),
        DocumentMessage.ofItems(shown, items),
        format);
  }
}

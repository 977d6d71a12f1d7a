package dev.abacus.optimizer.loop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Computation;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** One document that stands for a group of documents, as semantic aggregates read it. */
final class GroupDocument {

  /** The field that holds the list of the group's documents. */
  static final String MEMBERS = "members";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private GroupDocument() {}

  /** What the aggregate reads of a group: the fields grouped by, and its members. */
  static Document of(Aggregate aggregate, List<Document> members) {
    ArrayNode list = JSON.arrayNode();
    members.forEach(member -> list.add(member.toJson()));
    return members.getFirst().only(aggregate.by()).with(MEMBERS, list);
  }

  /** What needs no model of the aggregate's output: the fields grouped by, and computed ones. */
  static Document computed(Aggregate aggregate, Document group) {
    Document output = group.only(aggregate.by());
    for (var computation : aggregate.compute().entrySet()) {
      output =
          output.with(computation.getKey(), compute(computation.getValue(), group.get(MEMBERS)));
    }
    return output;
  }

  private static JsonNode compute(Computation computation, JsonNode members) {
    List<JsonNode> values = new ArrayList<>();
    for (JsonNode member : members) {
      JsonNode value = computation.field() == null ? member : member.path(computation.field());
      if (!value.isMissingNode() && !value.isNull()) {
        values.add(value);
      }
    }
    List<BigDecimal> numbers =
        values.stream().filter(JsonNode::isNumber).map(JsonNode::decimalValue).toList();
    return switch (computation.function()) {
      case COUNT -> JSON.numberNode(values.size());
      case LIST -> JSON.arrayNode().addAll(values);
      case SUM -> JSON.numberNode(sum(numbers));
      case AVG ->
          numbers.isEmpty()
              ? NullNode.getInstance()
              : JSON.numberNode(
                  sum(numbers).divide(new BigDecimal(numbers.size()), MathContext.DECIMAL64));
      case MIN -> extreme(numbers, Comparator.naturalOrder());
      case MAX -> extreme(numbers, Comparator.reverseOrder());
    };
  }

  private static BigDecimal sum(List<BigDecimal> numbers) {
    return numbers.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static JsonNode extreme(List<BigDecimal> numbers, Comparator<BigDecimal> order) {
    return numbers.stream()
        .min(order)
        .<JsonNode>map(JSON::numberNode)
        .orElse(NullNode.getInstance());
  }
}

package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.List;

/** What a join with a reference puts out. */
final class JoinOutputs {

  private JoinOutputs() {}

  /**
   * One output per match, or one with the list of them. Without a match an inner join puts out
   * nothing, and a left join the document: as it is, or with an empty list.
   *
   * @param matches in the order of their keys
   */
  static List<Document> of(ReferenceJoin join, Document document, List<ReferenceItem> matches) {
    if (matches.isEmpty() && join.joinKind() == JoinKind.INNER) {
      return List.of();
    }
    if (join.collected()) {
      ArrayNode items = JsonNodeFactory.instance.arrayNode();
      matches.forEach(item -> items.add(item.document().toJson()));
      return List.of(document.with(join.into(), items));
    }
    if (matches.isEmpty()) {
      return List.of(document);
    }
    return matches.stream()
        .map(item -> document.with(join.into(), item.document().toJson()))
        .toList();
  }

  static OperatorOutcome unusablePlan(String message) {
    return new OperatorOutcome.Failed(
        new OperatorFailure.UnusablePlan(message), ExecutionStats.NONE);
  }
}

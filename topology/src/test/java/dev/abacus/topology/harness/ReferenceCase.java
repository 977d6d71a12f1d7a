package dev.abacus.topology.harness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.PairCondition;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.TopK;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.reference.EmbeddedItem;
import dev.abacus.topology.reference.ReferenceCollection;
import dev.abacus.topology.reference.index.ExactIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A technique for a reference of three items. Joins match all items if the document's marker
 * contains "yes", else none; searches find the two items that are most similar to any text.
 */
final class ReferenceCase extends TechniqueCase {

  private static final List<String> TEXT = List.of("text");
  private static final List<String> ALL = List.of("a", "b", "c");
  static final LogicalOperator JOIN =
      new ReferenceJoin(
          "fit",
          "in",
          "items",
          "They fit.",
          PairCondition.NONE,
          TEXT,
          JoinKind.LEFT,
          "fitting",
          true);
  static final LogicalOperator INNER =
      new ReferenceJoin(
          "one",
          "in",
          "items",
          "They fit.",
          PairCondition.NONE,
          TEXT,
          JoinKind.INNER,
          "fitting",
          false);
  static final LogicalOperator SEARCH = new TopK("near", "in", "items", TEXT, 2, "fitting");

  static final LogicalOperator ENTITY =
      new EntityResolution("entity", "in", "items", "They are the same.", TEXT, "fitting");

  /**
   * A case.
   *
   * @param technique builds the technique; its model names begin with the given prefix
   */
  ReferenceCase(Function<String, PhysicalOperator> technique, LogicalOperator... operators) {
    super(technique, operators);
  }

  @Override
  OperatorRuntime runtime() {
    ReferenceCollection items = new ReferenceCollection("items", "name", ExactIndex::new);
    items.put("a", item("a", 0.8f, 0.6f));
    items.put("b", item("b", 0, 1));
    items.put("c", item("c", 1, 0));
    return new OperatorRuntime(Embedders.of(new MarkerEmbedder("e")), Duration.ofMillis(5))
        .forProgram(name -> name.equals("items") ? items : null);
  }

  private static EmbeddedItem item(String name, float... vector) {
    Document document = Document.empty().with("name", TextNode.valueOf(name));
    return new EmbeddedItem("hash", document.toBytes(), Map.of("e", vector), Map.of());
  }

  @Override
  void assertRight(LogicalOperator operator, String marker, OperatorOutcome outcome) {
    assertThat(outcome).isInstanceOf(OperatorOutcome.Kept.class);
    List<Document> documents = ((OperatorOutcome.Kept) outcome).documents();
    assertThat(documents).allMatch(one -> one.get("id").asText().equals("id-" + marker));
    List<String> names = new ArrayList<>();
    for (Document document : documents) {
      JsonNode fitting = document.get("fitting");
      if (fitting.isArray()) {
        fitting.forEach(one -> names.add(one.path("name").asText()));
      } else if (!fitting.isNull()) {
        names.add(fitting.path("name").asText());
      }
    }
    List<String> found = operator.equals(ENTITY) ? List.of("c") : ALL;
    assertThat(names)
        .isEqualTo(
            operator.equals(SEARCH)
                ? List.of("c", "a")
                : marker.contains("yes") ? found : List.of());
    assertThat(documents).hasSize(operator.equals(INNER) ? names.size() : 1);
  }

  /** A search calls no chat model, but needs a query. */
  @Override
  boolean needsItsFields() {
    return true;
  }
}

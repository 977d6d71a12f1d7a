package dev.abacus.topology.harness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.SemanticAggregation;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Aggregate.LateDocuments;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Window;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Aggregation of groups of two members by a model; the first member has the marker. */
final class GroupCase extends TechniqueCase {

  private static final LogicalOperator SUMMARY =
      new Aggregate(
          "summary",
          "in",
          List.of("id"),
          new Window.Tumbling(Duration.ofHours(1), Duration.ZERO),
          "Copy the marker.",
          List.of("text"),
          List.of(new Field("echo", new FieldType.StringType(List.of()), "the marker", false)),
          Map.of(),
          LateDocuments.DROP,
          null);

  GroupCase() {
    super(to -> new SemanticAggregation(to + "m"), SUMMARY);
  }

  @Override
  OperatorRuntime runtime() {
    return new OperatorRuntime(Embedders.of());
  }

  @Override
  Document document(String marker, String more) {
    ArrayNode members = JsonNodeFactory.instance.arrayNode();
    members.addObject().put("text", "#" + marker + "# " + more);
    members.addObject().put("text", "nothing of note");
    return Document.empty().with("id", TextNode.valueOf("id-" + marker)).with("members", members);
  }

  @Override
  void assertRight(LogicalOperator operator, String marker, OperatorOutcome outcome) {
    assertThat(outcome).isInstanceOf(OperatorOutcome.Kept.class);
    Document document = ((OperatorOutcome.Kept) outcome).document();
    // Members are shown as JSON, so what the model copies has JSON's escapes.
    String shown = TextNode.valueOf(marker).toString();
    assertThat(document.get("echo").asText()).isEqualTo(shown.substring(1, shown.length() - 1));
    assertThat(document.get("id").asText()).isEqualTo("id-" + marker);
    assertThat(document.get("members").isMissingNode() || document.get("members").isNull())
        .isTrue();
  }
}

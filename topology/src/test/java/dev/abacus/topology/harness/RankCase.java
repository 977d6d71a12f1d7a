package dev.abacus.topology.harness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import java.util.List;
import java.util.function.Function;

/**
 * A technique that orders three items. The last letters of the alphabet are best if the document's
 * marker contains "yes", else the first ones.
 */
final class RankCase extends TechniqueCase {

  private static final LogicalOperator BEST =
      new SemanticRank("best", "in", "items", "It fits.", List.of("text"), 2, "id", "best");

  /**
   * A case.
   *
   * @param technique builds the technique; its model names begin with the given prefix
   */
  RankCase(Function<String, PhysicalOperator> technique) {
    super(technique, BEST);
  }

  @Override
  OperatorRuntime runtime() {
    return new OperatorRuntime(Embedders.of());
  }

  @Override
  Document document(String marker, String more) {
    return super.document(marker, more)
        .with("items", JsonNodeFactory.instance.arrayNode().add("b").add("a").add("c"));
  }

  @Override
  void assertRight(LogicalOperator operator, String marker, OperatorOutcome outcome) {
    assertThat(outcome).isInstanceOf(OperatorOutcome.Kept.class);
    Document document = ((OperatorOutcome.Kept) outcome).document();
    assertThat(document.get("id").asText()).isEqualTo("id-" + marker);
    assertThat(document.get("best").valueStream().map(JsonNode::asText))
        .containsExactly(
            marker.contains("yes") ? new String[] {"c", "b"} : new String[] {"a", "b"});
    assertThat(document.get("items")).hasSize(3);
  }
}

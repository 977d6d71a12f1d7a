package dev.abacus.topology.harness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** A technique for pairs of two streams, which match if the left marker contains "yes". */
final class PairCase extends TechniqueCase {

  private static final LogicalOperator JOIN =
      new StreamJoin(
          "fit",
          "in",
          "others",
          Duration.ofMinutes(1),
          null,
          "They fit.",
          List.of("text"),
          JoinKind.INNER,
          "other",
          null);

  /**
   * A case.
   *
   * @param technique builds the technique; its model names begin with the given prefix
   */
  PairCase(Function<String, PhysicalOperator> technique) {
    super(technique, JOIN);
  }

  @Override
  OperatorRuntime runtime() {
    return new OperatorRuntime(Embedders.of(new MarkerEmbedder("e")), Duration.ofMillis(5));
  }

  @Override
  Document document(String marker, String more) {
    return super.document(marker, more)
        .with("other", JsonNodeFactory.instance.objectNode().put("text", "a partner"));
  }

  @Override
  void assertRight(LogicalOperator operator, String marker, OperatorOutcome outcome) {
    if (!marker.contains("yes")) {
      assertThat(outcome).isInstanceOf(OperatorOutcome.Dropped.class);
      return;
    }
    assertThat(outcome).isInstanceOf(OperatorOutcome.Kept.class);
    Document document = ((OperatorOutcome.Kept) outcome).document();
    assertThat(document.get("id").asText()).isEqualTo("id-" + marker);
    assertThat(document.get("other").path("text").asText()).isEqualTo("a partner");
  }
}

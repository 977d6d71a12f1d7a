package dev.abacus.optimizer.loop.budget;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ListwiseRanking;
import dev.abacus.schemas.plan.PairwiseRanking;
import dev.abacus.schemas.plan.PhysicalOperator.Ranking;
import dev.abacus.schemas.plan.PointwiseRanking;
import dev.abacus.schemas.program.SemanticRank;
import java.util.List;
import org.junit.jupiter.api.Test;

class CostForecastTest {

  private static final SemanticRank RANK =
      new SemanticRank("r", "in", "items", "It is great.", List.of(), 5, "id", "items");

  private static SampleTask task(Ranking ranking, int items) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < items; i++) {
      list.add("x".repeat(300));
    }
    return SampleTask.builder("t", "p")
        .operator(RANK)
        .physical(ranking)
        .exampleId("e")
        .input(Document.empty().with("items", list))
        .label(JsonNodeFactory.instance.arrayNode())
        .judge("o4-mini")
        .build();
  }

  private static long tokens(Ranking ranking, int items) {
    return new CostForecast(ModelCatalogue.builtIn()).tokens(task(ranking, items));
  }

  @Test
  void theForecastOfARankCountsItsCallsAndTheItemsThatEachShows() {
    assertThat(tokens(new PointwiseRanking("gpt-4o"), 25)).isBetween(25 * 900L, 25 * 930L);
    assertThat(tokens(new ListwiseRanking("gpt-4o", 10), 25)).isBetween(4 * 1800L, 4 * 1850L);
    assertThat(tokens(new PairwiseRanking("gpt-4o"), 25)).isBetween(50 * 1000L, 80 * 1030L);
    assertThat(tokens(new PointwiseRanking("gpt-4o"), 0)).isZero();
  }
}

package dev.abacus.schemas.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.abacus.schemas.kafka.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankingTest {

  @Test
  void aRankingIsReadBackFromAPlan() throws Exception {
    for (PhysicalOperator ranking :
        List.of(
            new PointwiseRanking("m"), new ListwiseRanking("m", 10), new PairwiseRanking("m"))) {
      byte[] json = Json.write(ranking);
      assertThat(Json.read(json, PhysicalOperator.class)).isEqualTo(ranking);
      assertThat(ranking.chatModels()).containsExactly("m");
    }
    assertThat(new ListwiseRanking("m", 10).id()).isEqualTo("listwise-ranking(m,10)");
  }

  @Test
  void theCallsFollowFromItemsAndItemsToKeep() {
    assertThat(new PointwiseRanking("m").calls(25, 5)).isEqualTo(25);
    ListwiseRanking windows = new ListwiseRanking("m", 10);
    assertThat(windows.calls(10, 10)).isEqualTo(1);
    assertThat(windows.calls(25, 5)).isEqualTo(4);
    assertThat(windows.calls(25, 6)).isEqualTo(4 + 3);
    assertThat(windows.calls(1, 1)).isZero();
    assertThat(new PairwiseRanking("m").calls(3, 3)).isEqualTo(3);
  }

  @Test
  void aWindowIsEven() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ListwiseRanking("m", 5))
        .withMessage("window 5 is odd");
  }
}

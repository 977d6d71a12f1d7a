package dev.abacus.optimizer.learning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.LearnedOrder;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Orders that are learnt from live documents against the truth of simulated streams. */
class OrderLearnerTest {

  @Test
  void anOrderByTopicIsCheaperThanEveryFixedOne() {
    FilterStream stream = FilterStream.ofTopics(1, 4);
    stream.run(3000);
    assertThat(stream.active().reason())
        .matches(
            "learnt from live documents: the order of 4 filters, 0\\.[5-7].* of the cost of the best fixed one on \\d+ audited documents");
    assertThat(stream.run(1000)).isLessThan(0.75 * stream.bestFixed());
    assertThat(stream.plan().learned()).isEmpty();
  }

  @Test
  void thePromiseOfCostHasTheTruthInItsInterval() {
    List<String> missed = new ArrayList<>();
    for (int seed = 0; seed < 100; seed++) {
      FilterStream stream = FilterStream.ofTopics(seed, 3);
      while (predicted(stream) == null) {
        stream.run(10);
      }
      stream.run(500 + 10 * seed);
      PhysicalPlan plan = stream.plan();
      Range promise = plan.range(plan.choice(), Dimension.COST);
      double truth = stream.truth(4000);
      if (truth < Objects.requireNonNull(promise.low())
          || truth > Objects.requireNonNull(promise.high())) {
        missed.add("%s is %.6f, by %s".formatted(promise, truth, predicted(stream)));
      }
    }
    // Five are expected; ten and more come by chance once in 36 times. Of 300 seeds 15 miss it.
    assertThat(missed).hasSizeLessThanOrEqualTo(9);
  }

  @Test
  void filtersWhoseAnswersDoNotFollowFromTheTextCostNothing() {
    int published = 0;
    for (int seed = 0; seed < 20; seed++) {
      FilterStream stream =
          new FilterStream(seed, new double[] {1, 1, 1}, new double[][] {{0.5, 0.6, 0.7}});
      stream.run(1500);
      published += stream.plans() - 1;
    }
    // By chance an answer seems to follow from the text; audits then show that no order pays.
    assertThat(published).isLessThanOrEqualTo(4);
  }

  @Test
  void auditsEndIfTheFirstFilterIsAlwaysTheBest() {
    FilterStream stream =
        new FilterStream(1, new double[] {0.01, 1}, new double[][] {{0.1, 0.1}, {0.4, 0.9}});
    stream.run(4000);
    assertThat(stream.plans()).isGreaterThan(1);
    assertThat(stream.plan().orders()).isEmpty();
    assertThat(stream.active().reason()).endsWith("another order of filters does not pay");
    assertThat(stream.plans()).isLessThan(12);
  }

  @Test
  void aSingleFilterHasNoOrder() {
    FilterStream stream = new FilterStream(1, new double[] {1}, new double[][] {{0.1}, {0.9}});
    stream.run(2000);
    assertThat(stream.plans()).isEqualTo(1);
  }

  @Test
  void anOrderThatWasRolledBackIsNotPublishedAgainAtOnce() {
    FilterStream stream = FilterStream.ofTopics(1, 3);
    while (predicted(stream) == null) {
      stream.run(10);
    }
    int plans = stream.plans();
    stream.activate(1);
    stream.run(100);
    assertThat(stream.plans()).isEqualTo(plans);
  }

  @Test
  void theOrderIsNotPublishedForEachDocument() {
    FilterStream stream = FilterStream.ofTopics(1, 4);
    stream.run(3000);
    assertThat(stream.plans()).isLessThan(15);
  }

  private static LearnedOrder.@Nullable Prediction predicted(FilterStream stream) {
    return stream.plan().orders().isEmpty() ? null : stream.plan().orders().getFirst().predicted();
  }
}

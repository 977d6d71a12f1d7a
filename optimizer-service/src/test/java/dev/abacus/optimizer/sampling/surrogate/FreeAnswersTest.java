package dev.abacus.optimizer.sampling.surrogate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.AsMeasured;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SamplingBench;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.plan.ModelSelection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Mean cost and latency where some answers cost nothing. */
class FreeAnswersTest {

  /** Every other document needs no call, as one without candidates for a join. */
  @Test
  void documentsWithoutCallsLowerTheMeanCost() {
    List<Belief> beliefs = beliefs((arm, i) -> (i % 2) * (arm == 0 ? 1 : 3));
    Belief a = beliefs.getFirst();
    Belief b = beliefs.getLast();

    assertThat(a.mean().cost()).isEqualTo(0.0005, within(0.00002));
    assertThat(b.mean().cost()).isEqualTo(0.0015, within(0.00006));
    assertThat(a.mean().latency()).isEqualTo(0.5, within(0.02));
    assertThat(a.cost().deviation()).isBetween(0.22, 0.25);
    assertThat(a.cost().minus(b.cost()).deviation()).isLessThan(0.1);
  }

  @Test
  void modelsWithoutAPriceCostNothing() {
    List<Belief> beliefs = beliefs((_, _) -> 0);

    assertThat(beliefs).allSatisfy(belief -> assertThat(belief.mean().cost()).isZero());
  }

  /** A provider may refuse a document without a bill, as its filter of contents does. */
  @Test
  void aRefusalWithoutABillIsNoCheapAnswer() {
    List<Belief> beliefs = beliefs((arm, i) -> arm == 1 && i == 7 ? 0 : arm == 0 ? 1 : 3);

    assertThat(beliefs.getFirst().mean().cost()).isEqualTo(0.001, within(0.00004));
    assertThat(beliefs.getLast().mean().cost()).isEqualTo(0.003, within(0.0002));
  }

  /** Of two implementations that cost $0.001 for each call on twenty documents. */
  private static List<Belief> beliefs(IntBinaryOperator calls) {
    List<Arm> arms = Stream.of("a", "b").map(model -> Arm.of(new ModelSelection(model))).toList();
    List<String> examples = IntStream.range(0, 20).mapToObj(i -> "e" + i).toList();
    Map<String, Map<String, Sample>> samples = new HashMap<>();
    for (int arm = 0; arm < arms.size(); arm++) {
      String id = arms.get(arm).id();
      Map<String, Sample> byExample = new HashMap<>();
      for (int i = 0; i < examples.size(); i++) {
        int number = calls.applyAsInt(arm, i);
        byExample.put(
            examples.get(i),
            new Sample.Observed(
                Observation.builder(id + i, "p", "o", id, examples.get(i))
                    .quality(0.5)
                    .scoredBy(Observation.ScoredBy.LABEL)
                    .cost(0.001 * number)
                    .latency(0.001 + number)
                    .build()));
      }
      samples.put(id, byExample);
    }
    SamplingState state =
        SamplingBench.stateOf(
            ObjectiveParser.parse("minimize cost"),
            List.of(AsMeasured.of("o", arms, examples, samples)));
    Map<Arm, Belief> beliefs =
        Objects.requireNonNull(new SurrogateSampling(1, Priors.NONE).beliefs(state).get("o"));
    return arms.stream().map(arm -> Objects.requireNonNull(beliefs.get(arm))).toList();
  }
}

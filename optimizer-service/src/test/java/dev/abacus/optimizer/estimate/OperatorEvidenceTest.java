package dev.abacus.optimizer.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.optimizer.Given;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OperatorEvidenceTest {

  private static final PhysicalOperator MODEL = new ModelSelection("m");
  private static final LogicalOperator FILTER =
      Given.program(Given.filter("f", "a")).operators().getFirst();

  private static OperatorContext context(List<ValidationExample> examples) {
    return new OperatorContext(
        FILTER,
        null,
        examples,
        new DocumentSizes(Map.of(), Map.of()),
        Set.of(),
        most -> most,
        Map.of(),
        _ -> StoredAnswers.ALL,
        Map.of());
  }

  private static Observation seen(
      String example, Outcome outcome, double quality, ScoredBy by, double cost) {
    return Observation.builder("t-" + example, "p", "f", MODEL.id(), example)
        .outcome(outcome)
        .outputs(outcome == Outcome.KEPT ? List.of(Document.empty()) : List.of())
        .quality(quality)
        .scoredBy(by)
        .cost(cost)
        .latency(cost)
        .build();
  }

  private static double mean(List<Measurement> measured, ToDoubleFunction<Measurement> value) {
    return measured.stream().mapToDouble(value).average().orElseThrow();
  }

  private static Evidence evidence(Observation seen, @Nullable JsonNode label, double weight) {
    return new Evidence(MODEL, seen, label, weight, false, null);
  }

  @Test
  void rowsCountAsManyTimesAsTheRowsThatTheyStandFor() {
    List<Evidence> rows =
        List.of(
            evidence(seen("e1", Outcome.KEPT, 0.9, ScoredBy.NOBODY, 1), null, 1),
            evidence(seen("e2", Outcome.KEPT, 0.9, ScoredBy.NOBODY, 5), null, 3));

    List<Measurement> measured = new OperatorEvidence(context(List.of()), rows).of(MODEL.id());

    assertThat(mean(measured, Measurement::cost)).isEqualTo(4, within(1e-12));
    assertThat(mean(measured, Measurement::latency)).isEqualTo(3, within(1e-12));
    assertThat(rows.getFirst().seen().cost()).isEqualTo(1);
  }

  /**
   * One in ten documents is to be kept; half of the samples are of such documents. Those to keep
   * are decided rightly with 0.6 at a cost of 3, the others with 0.9 at a cost of 1.
   */
  @Test
  void samplesThatPreferTheRarerClassTellLiveDocuments() {
    List<ValidationExample> examples =
        IntStream.range(0, 4_000)
            .mapToObj(i ->
                new ValidationExample(
                    "e" + i,
                    "source",
                    Document.empty(),
                    Map.of("f", BooleanNode.valueOf(i % 10 == 0))))
            .toList();
    Random random = new Random(7);
    List<Evidence> samples = new ArrayList<>();
    for (int i = 0; i < 4_000; i += i % 10 == 0 ? 1 : 9) {
      boolean keep = i % 10 == 0;
      boolean right = random.nextDouble() < (keep ? 0.6 : 0.9);
      Observation seen =
          seen(
              "e" + i,
              keep == right ? Outcome.KEPT : Outcome.DROPPED,
              right ? 1 : 0,
              ScoredBy.LABEL,
              keep ? 3 : 1);
      samples.add(evidence(seen, BooleanNode.valueOf(keep), 1));
    }

    OperatorEvidence read = new OperatorEvidence(context(examples), samples);
    List<Measurement> measured = read.of(MODEL.id());

    assertThat(samples).hasSize(800);
    assertThat(mean(measured, Measurement::cost)).isEqualTo(1.2, within(0.01));
    assertThat(mean(measured, one -> one.quality() == null ? 0 : one.quality()))
        .as("balanced accuracy")
        .isEqualTo(0.75, within(0.03));
    assertThat(mean(measured, Measurement::outputs))
        .as("share of documents that are kept")
        .isEqualTo(0.1 * 0.6 + 0.9 * 0.1, within(0.03));
    assertThat(read.scoreVariance()).isNotNull();
  }

  /**
   * At one tier there are documents to keep, all decided rightly, at the other there are others,
   * half of them decided rightly: together the balanced accuracy is 0.75. Another model differs.
   */
  @Test
  void decisionsOfAllServiceTiersTellTheScoreOfAnImplementation() {
    PhysicalOperator standard = new ModelSelection("a");
    PhysicalOperator flex = new ModelSelection("a@flex");
    PhysicalOperator another = new ModelSelection("b");
    List<Evidence> samples = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      boolean keep = i < 20;
      samples.add(decision(keep ? standard : flex, i, keep, keep || i % 2 == 0, keep ? 1 : 0.5));
      samples.add(decision(another, i, keep, !keep || i % 5 == 0, 1));
    }

    OperatorEvidence read = new OperatorEvidence(context(List.of()), samples);
    List<Measurement> both = new ArrayList<>(read.of(standard.id()));
    both.addAll(read.of(flex.id()));

    assertThat(mean(both, one -> one.quality() == null ? 0 : one.quality()))
        .isEqualTo(0.75, within(0.02));
    assertThat(mean(read.of(flex.id()), Measurement::cost)).isEqualTo(0.5);
  }

  private static Evidence decision(
      PhysicalOperator physical, int number, boolean keep, boolean right, double cost) {
    Observation seen =
        Observation.builder(physical.id() + number, "p", "f", physical.id(), "e" + number)
            .outcome(keep == right ? Outcome.KEPT : Outcome.DROPPED)
            .outputs(keep == right ? List.of(Document.empty()) : List.of())
            .quality(right ? 1.0 : 0.0)
            .scoredBy(ScoredBy.LABEL)
            .cost(cost)
            .latency(1)
            .build();
    return new Evidence(physical, seen, BooleanNode.valueOf(keep), 1, false, null);
  }

  @Test
  void evidenceOfLeftOutExamplesDoesNotCount() {
    List<Evidence> both =
        List.of(
            evidence(seen("e1", Outcome.KEPT, 1, ScoredBy.LABEL, 1), BooleanNode.TRUE, 1),
            evidence(seen("e2", Outcome.KEPT, 0, ScoredBy.LABEL, 1), BooleanNode.FALSE, 1));
    OperatorEvidence read = new OperatorEvidence(context(List.of()), both);

    assertThat(read.without(Set.of("e2")).of(MODEL.id()))
        .singleElement()
        .extracting(Measurement::quality)
        .isEqualTo(1.0);
  }

  @Test
  void aDerivedAnswerStatesWhatItFollowsFrom() {
    Observation seen = seen("e1", Outcome.KEPT, 1, ScoredBy.LABEL, 3);
    Observation answer = seen("e1", Outcome.DROPPED, 0, ScoredBy.LABEL, 1);

    Evidence derived = evidence(seen, BooleanNode.TRUE, 1).derived(answer, "embedder");

    assertThat(derived.seen()).isEqualTo(answer);
    assertThat(derived.lineage()).isEqualTo(new Evidence.Lineage("embedder", "e1", seen));
    assertThat(derived.measured().seen()).isEqualTo(seen);
  }
}

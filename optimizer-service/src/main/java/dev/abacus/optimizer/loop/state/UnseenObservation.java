package dev.abacus.optimizer.loop.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.optimizer.learned.JoinThresholds;
import dev.abacus.optimizer.learned.TrainingResult;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.ObservationBuilder;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.PhysicalOperator.Cascade;
import dev.abacus.schemas.plan.PhysicalOperator.Learnable;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.ReferenceJoin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An observation of an untrained implementation as if it had been drawn with parameters that were
 * learned from all other examples.
 */
record UnseenObservation(LearnedParameters learned, SampleTask task, Observation seen) {

  private static final JsonMapper JSON = new JsonMapper();

  Observation get() {
    if (!(task.physical() instanceof Learnable learnable) || learnable.isTrained()) {
      return seen;
    }
    return switch (learnable) {
      case Cascade cascade -> {
        TrainingResult.Decision decision =
            learned.decision(seen.operator(), cascade, seen.exampleId());
        yield decision == null || !decision.isAnswered() ? seen : answered(decision);
      }
      case EmbeddingJoin join -> {
        EvidenceKey key = new EvidenceKey(seen.operator(), join.features());
        JoinThresholds thresholds = learned.thresholdsWithout(key, seen.exampleId());
        yield thresholds != null
                && seen.evidence() instanceof Evidence.Pairs(List<Evidence.Pair> pairs, Double _)
                && !pairs.isEmpty()
            ? decided(key, pairs, thresholds)
            : seen;
      }
    };
  }

  /**
   * The classifier answers: the observation costs its features only, and its quality is 1 if the
   * answer is the known right one, else 0.
   */
  private Observation answered(TrainingResult.Decision decision) {
    if (!decision.labelled() && seen.outcome() == Outcome.FAILED) {
      return seen;
    }
    String answer = Objects.requireNonNull(decision.answer());
    JsonNode own = ownAnswer();
    boolean same = own != null && own.toString().equals(answer);
    Double quality =
        decision.labelled()
            ? Double.valueOf(decision.isCorrect() ? 1 : 0)
            // An answer that differs from the model's has no score; it counts as wrong.
            : same || seen.quality() == null ? seen.quality() : Double.valueOf(0);
    LearnedParameters.Embedding embedding = embedding(Objects.requireNonNull(EvidenceKey.of(task)));
    boolean dropped = task.operator().decides() && answer.equals("false");
    return seen.toBuilder()
        .outcome(dropped ? Outcome.DROPPED : Outcome.KEPT)
        .outputs(dropped ? List.of() : outputs(answer))
        .quality(quality)
        .scoredBy(decision.labelled() ? ScoredBy.LABEL : seen.scoredBy())
        .cost(embedding.usd())
        .latency(embedding.seconds())
        .prefix(null)
        .atTiers(Map.of())
        .paid(null)
        .failure(null)
        .build();
  }

  /** The answer of a filter, or of a map that writes one field; null if it has none. */
  private @Nullable JsonNode ownAnswer() {
    if (seen.outcome() == Outcome.FAILED) {
      return null;
    }
    if (task.operator().decides()) {
      return BooleanNode.valueOf(seen.outcome() == Outcome.KEPT);
    }
    return seen.outputs().isEmpty() ? null : seen.outputs().getFirst().get(writtenField());
  }

  private String writtenField() {
    return task.operator().writtenFields().getFirst();
  }

  /**
   * The outputs with another answer. The output of a map stays that of the model if there is one:
   * operators downstream are sampled on it, and their input should not change with every wave.
   *
   * @param answer JSON text
   */
  private List<Document> outputs(String answer) {
    if (task.operator().decides()) {
      return List.of(task.input());
    }
    try {
      return seen.outputs().isEmpty()
          ? List.of(task.input().with(writtenField(), JSON.readTree(answer)))
          : seen.outputs();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(answer + " is no JSON", e);
    }
  }

  /**
   * Latency and cost of an answer without a model call: the mean of the measured embeddings, else
   * the embedding of this sample, else the latency of the whole sample.
   */
  private LearnedParameters.Embedding embedding(EvidenceKey key) {
    LearnedParameters.Embedding mean = learned.embedding(key);
    if (mean != null) {
      return mean;
    }
    Double seconds = measuredSeconds(seen.evidence());
    Double usd = seen.evidence() instanceof Evidence.Embedded embedded ? embedded.usd() : null;
    return new LearnedParameters.Embedding(
        seconds == null ? seen.latency() : Math.min(seconds, seen.latency()),
        usd == null ? 0 : usd);
  }

  private static @Nullable Double measuredSeconds(@Nullable Evidence evidence) {
    return switch (evidence) {
      case Evidence.Embedded embedded -> embedded.seconds();
      case Evidence.Pairs pairs -> pairs.seconds();
      case Evidence.Conditions _ -> null;
      case null -> null;
    };
  }

  /** The model is asked only about pairs between the thresholds; the others cost the embedding. */
  private Observation decided(
      EvidenceKey key, List<Evidence.Pair> pairs, JoinThresholds thresholds) {
    double asked = 0;
    double all = 0;
    List<Evidence.Pair> after = new ArrayList<>();
    for (Evidence.Pair pair : pairs) {
      Double similarity = pair.similarity();
      all += pair.weight();
      if (similarity != null && thresholds.decides(similarity)) {
        after.add(pair.withAnswer(thresholds.accepts(similarity)));
      } else {
        asked += pair.weight();
        after.add(pair);
      }
    }
    if (asked == all) {
      return seen;
    }
    double share = asked / all;
    LearnedParameters.Embedding embedding = embedding(key);
    double usd = Math.min(embedding.usd(), seen.cost());
    ObservationBuilder changed =
        seen.toBuilder()
            .evidence(new Evidence.Pairs(after, measuredSeconds(seen.evidence())))
            .cost(usd + (seen.cost() - usd) * share)
            .prefix(seen.prefix() == null ? null : seen.prefix().times(share))
            .latency(Math.max(embedding.seconds(), seen.latency() * share))
            .paid(null);
    if (seen.outcome() == Outcome.FAILED) {
      return changed.build();
    }
    return switch (task.operator()) {
      case ReferenceJoin join -> {
        boolean known = after.stream().allMatch(pair -> pair.match() != null);
        QualityMetric metric = metric(join);
        MatchCounts counts = MatchCounts.of(after);
        boolean scored = seen.quality() != null && known && MatchCounts.supports(metric);
        yield changed
            .quality(scored ? Double.valueOf(counts.score(metric)) : seen.quality())
            .scoredBy(seen.scoredBy())
            .expectedOutputs(join.outputs(counts.found() + counts.wrong()))
            .build();
      }
      default -> decided(changed, after.getFirst());
    };
  }

  /** The decision about a pair of two streams. */
  private Observation decided(ObservationBuilder changed, Evidence.Pair pair) {
    boolean accepted = Boolean.TRUE.equals(pair.answer());
    boolean same = pair.match() != null && accepted == pair.match();
    Double quality = seen.quality();
    return changed
        .outcome(accepted ? Outcome.KEPT : Outcome.DROPPED)
        .outputs(accepted ? List.of(task.input()) : List.of())
        .quality(
            quality == null
                ? null
                : Double.valueOf(pair.labelled() ? same ? 1 : 0 : same ? quality : 1 - quality))
        .scoredBy(seen.scoredBy())
        .build();
  }

  private QualityMetric metric(ReferenceJoin join) {
    QualityMetric metric = task.metrics().get(join.id());
    return metric == null ? new QualityMetric.SetF1() : metric;
  }
}

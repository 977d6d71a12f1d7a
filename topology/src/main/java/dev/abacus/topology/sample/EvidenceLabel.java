package dev.abacus.topology.sample;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.StreamJoin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Replaces the answer of the model in evidence by the label, if there is one. */
final class EvidenceLabel {

  private EvidenceLabel() {}

  /**
   * The evidence with the label of the sample. Null if the label is not a possible answer of the
   * operator, because then no answer can be right.
   */
  static @Nullable Evidence apply(SampleTask task, @Nullable Evidence evidence) {
    JsonNode label = AnswerClasses.said(task.operator(), task.label());
    if (evidence instanceof Evidence.Pairs(List<Evidence.Pair> pairs, Double seconds)
        && task.operator() instanceof StreamJoin
        && label != null
        && label.isBoolean()) {
      return new Evidence.Pairs(
          pairs.stream().map(pair -> pair.with(label.booleanValue(), true)).toList(), seconds);
    }
    AnswerClasses classes = AnswerClasses.of(task.operator());
    if (!(evidence instanceof Evidence.Embedded embedded) || label == null || classes == null) {
      return evidence;
    }
    JsonNode answer = classes.find(label);
    return answer == null ? null : embedded.labelled(answer);
  }

  /** The labelled part of the evidence; null if there is none. */
  static @Nullable Evidence only(SampleTask task, @Nullable Evidence evidence) {
    Evidence labelled = apply(task, evidence);
    return switch (labelled) {
      case Evidence.Embedded embedded -> embedded.labelled() ? embedded : null;
      case Evidence.Pairs(List<Evidence.Pair> pairs, Double seconds) -> {
        List<Evidence.Pair> labelledPairs = pairs.stream().filter(Evidence.Pair::labelled).toList();
        yield labelledPairs.isEmpty() ? null : new Evidence.Pairs(labelledPairs, seconds);
      }
      case Evidence.Conditions _ -> null;
      case null -> null;
    };
  }
}

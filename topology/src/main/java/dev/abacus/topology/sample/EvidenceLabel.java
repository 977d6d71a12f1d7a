package dev.abacus.topology.sample;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.StreamJoin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts the label, where there is one, in the place of what the model answered. */
final class EvidenceLabel {

  private EvidenceLabel() {}

  /**
   * The evidence of a sample, by its label. None if the label is no answer that the operator can
   * give: then neither it nor the model's is right.
   */
  static @Nullable Evidence apply(SampleTask task, @Nullable Evidence evidence) {
    JsonNode label = AnswerClasses.said(task.operator(), task.label());
    if (evidence instanceof Evidence.Pairs(List<Evidence.Pair> pairs, Double seconds)
        && task.operator() instanceof StreamJoin
        && label != null
        && label.isBoolean()) {
      return new Evidence.Pairs(
          pairs.stream()
              .map(pair -> new Evidence.Pair(pair.similarity(), label.booleanValue(), true))
              .toList(),
          seconds);
    }
    AnswerClasses classes = AnswerClasses.of(task.operator());
    if (!(evidence instanceof Evidence.Embedded embedded) || label == null || classes == null) {
      return evidence;
    }
    JsonNode answer = classes.find(label);
    return answer == null
        ? null
        : new Evidence.Embedded(
            embedded.embedder(), embedded.embedding(), answer, true, embedded.seconds());
  }

  /** The same, of what labels alone say: null if they say nothing. */
  static @Nullable Evidence only(SampleTask task, @Nullable Evidence evidence) {
    Evidence labelled = apply(task, evidence);
    return switch (labelled) {
      case Evidence.Embedded embedded -> embedded.labelled() ? embedded : null;
      case Evidence.Pairs(List<Evidence.Pair> pairs, Double seconds) -> {
        List<Evidence.Pair> said = pairs.stream().filter(Evidence.Pair::labelled).toList();
        yield said.isEmpty() ? null : new Evidence.Pairs(said, seconds);
      }
      case Evidence.Conditions _ -> null;
      case null -> null;
    };
  }
}

package dev.abacus.topology.sample;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.SemanticMap;
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
    JsonNode label = label(task);
    if (evidence instanceof Evidence.Pairs(List<Evidence.Pair> pairs)
        && task.operator() instanceof StreamJoin
        && label != null
        && label.isBoolean()) {
      return new Evidence.Pairs(
          pairs.stream()
              .map(pair -> new Evidence.Pair(pair.similarity(), label.booleanValue(), true))
              .toList());
    }
    AnswerClasses classes = AnswerClasses.of(task.operator());
    if (!(evidence instanceof Evidence.Embedded embedded) || label == null || classes == null) {
      return evidence;
    }
    JsonNode answer = classes.find(label);
    return answer == null
        ? null
        : new Evidence.Embedded(embedded.embedder(), embedded.embedding(), answer, true);
  }

  private static @Nullable JsonNode label(SampleTask task) {
    JsonNode label = task.label();
    if (label == null || label.isNull()) {
      return null;
    }
    return task.operator() instanceof SemanticMap map
        ? label.get(map.writes().getFirst().name())
        : label;
  }
}

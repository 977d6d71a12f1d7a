package dev.abacus.optimizer.loop.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one answer of a filter, or of a map that writes one field. */
final class SingleAnswer {

  private static final JsonMapper JSON = new JsonMapper();

  private SingleAnswer() {}

  /** The answer of an observation; null if it has none. */
  static @Nullable JsonNode of(LogicalOperator operator, Observation seen) {
    if (seen.outcome() == Outcome.FAILED) {
      return null;
    }
    if (operator instanceof SemanticFilter) {
      return BooleanNode.valueOf(seen.outcome() == Outcome.KEPT);
    }
    return seen.outputs().isEmpty()
        ? null
        : seen.outputs().getFirst().get(operator.writtenFields().getFirst());
  }

  /**
   * The observation with another answer. The output of a map stays that of the model if there is
   * one: operators downstream are sampled on it, and their input should not change with every wave.
   *
   * @param answer JSON text
   */
  static Observation replaced(SampleTask task, Observation seen, String answer) {
    boolean filter = task.operator() instanceof SemanticFilter;
    boolean dropped = filter && answer.equals("false");
    List<Document> outputs =
        dropped
            ? List.of()
            : filter || seen.outputs().isEmpty() ? List.of(output(task, answer)) : seen.outputs();
    return seen.toBuilder()
        .outcome(dropped ? Outcome.DROPPED : Outcome.KEPT)
        .outputs(outputs)
        .paid(null)
        .failure(null)
        .build();
  }

  private static Document output(SampleTask task, String answer) {
    if (task.operator() instanceof SemanticFilter) {
      return task.input();
    }
    try {
      return task.input().with(task.operator().writtenFields().getFirst(), JSON.readTree(answer));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(answer + " is no JSON", e);
    }
  }
}

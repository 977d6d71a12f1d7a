package dev.abacus.optimizer.loop.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.aggregate.GroupKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds the pairs of validation examples that a join of two streams is sampled on: the left
 * document with the right document in the join's field. Right examples alternate, so that pairs are
 * spread over both sides. The pair of an example does not change after its first sample.
 *
 * <p>The label of the left example is a boolean for any pair, or the list of the ids of its
 * matching right examples.
 */
record PairInputs(StreamJoin join, ProgramSnapshot view, OperatorInputs inputs) {

  private record Candidate(String id, Document document, Map<String, Double> rows) {}

  OperatorInput of(ValidationExample left) {
    SampleTask tried = view.sampled(join).firstTask(left.id());
    if (tried != null) {
      return new OperatorInput.Ready(tried.input(), tried.label());
    }
    OperatorInput own = inputs.leaving(join.input(), left.id());
    if (!(own instanceof OperatorInput.Ready(Document document, _, var rows))) {
      return own;
    }
    OperatorInput.@Nullable Wanting wanting = null;
    List<Candidate> candidates = new ArrayList<>();
    int turn = 0;
    for (ValidationExample right : view.examples()) {
      turn += right.source().equals(left.source()) && right.id().compareTo(left.id()) < 0 ? 1 : 0;
      if (right.id().equals(left.id())) {
        continue;
      }
      switch (inputs.leaving(join.with(), right.id())) {
        case OperatorInput.Ready(Document other, _, var others) -> {
          if (GroupKey.match(join, document, other)) {
            candidates.add(new Candidate(right.id(), other, others));
          }
        }
        case OperatorInput.Wanting wanted -> wanting = wanting == null ? wanted : wanting;
        case OperatorInput.Barred _, OperatorInput.Foreign _ -> {
          // Not a right side.
        }
      }
    }
    if (candidates.isEmpty()) {
      return wanting != null ? wanting : alone(document);
    }
    Candidate right = candidates.get(turn % candidates.size());
    Map<String, Double> both = new HashMap<>(rows);
    both.putAll(right.rows());
    return new OperatorInput.Ready(
        document.with(join.into(), right.document().toJson()), label(left, right.id()), both);
  }

  /** A left join without a model passes a document without a partner on. */
  private OperatorInput alone(Document document) {
    return join.joinKind() == JoinKind.LEFT && !join.isSemantic()
        ? new OperatorInput.Ready(document, null)
        : OperatorInputs.BARRED;
  }

  private @Nullable JsonNode label(ValidationExample left, String right) {
    JsonNode label = left.label(join.id());
    if (label == null || !label.isArray()) {
      return label;
    }
    boolean match = false;
    for (JsonNode id : label) {
      match |= id.asText().equals(right);
    }
    return BooleanNode.valueOf(match);
  }
}

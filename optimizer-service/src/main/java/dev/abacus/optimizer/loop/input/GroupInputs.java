package dev.abacus.optimizer.loop.input;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.aggregate.GroupDocument;
import dev.abacus.schemas.program.aggregate.GroupKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds the groups of validation examples that an aggregate is sampled on: examples with equal
 * group keys. One example represents its group, the others are {@link OperatorInput.Foreign}.
 *
 * <p>Large groups are split, so that there are several samples, unless an example is labelled,
 * since a label refers to the whole group. A group does not change after its first sample, so that
 * all implementations get the same one.
 */
record GroupInputs(
    Aggregate aggregate,
    ProgramSnapshot view,
    OperatorInputs inputs,
    Map<String, List<ValidationExample>> pools) {

  /** Examples per group of an aggregate without group keys. */
  private static final int ALL_IN_ONE = 8;

  /** Examples per pool in which groups are formed by key. */
  private static final int GROUPED = 32;

  /** Inputs that should be ready before a group is formed. */
  private static final int ENOUGH = 3;

  /** Splits the examples that reach the aggregate into pools, in each of which it forms groups. */
  static GroupInputs pool(Aggregate aggregate, ProgramSnapshot view, OperatorInputs inputs) {
    List<ValidationExample> examples =
        view.examples().stream()
            .filter(example ->
                !(inputs.leaving(aggregate.input(), example.id()) instanceof OperatorInput.Foreign))
            .toList();
    boolean labelled = examples.stream().anyMatch(example -> example.label(aggregate.id()) != null);
    int size =
        labelled ? Math.max(1, examples.size()) : aggregate.by().isEmpty() ? ALL_IN_ONE : GROUPED;
    Map<String, List<ValidationExample>> pools = new HashMap<>();
    for (int from = 0; from < examples.size(); from += size) {
      List<ValidationExample> pool = examples.subList(from, Math.min(from + size, examples.size()));
      pool.forEach(example -> pools.put(example.id(), pool));
    }
    return new GroupInputs(aggregate, view, inputs, pools);
  }

  OperatorInput of(String exampleId) {
    SampleTask tried = view.sampled(aggregate).firstTask(exampleId);
    if (tried != null) {
      return new OperatorInput.Ready(tried.input(), tried.label());
    }
    OperatorInput own = inputs.leaving(aggregate.input(), exampleId);
    List<ValidationExample> pool = pools.get(exampleId);
    if (pool == null || !(own instanceof OperatorInput.Ready(Document document, _, _))) {
      return own;
    }
    OperatorInput.@Nullable Wanting wanting = null;
    int ready = 0;
    List<Document> members = new ArrayList<>();
    JsonNode label = null;
    String representative = null;
    for (ValidationExample example : pool) {
      switch (inputs.leaving(aggregate.input(), example.id())) {
        case OperatorInput.Ready(Document other, _, _) -> {
          ready++;
          if (sameGroup(document, other)) {
            members.add(other);
            label = label == null ? example.label(aggregate.id()) : label;
            representative = representative == null ? example.id() : representative;
            if (view.sampled(aggregate).firstTask(example.id()) != null) {
              return OperatorInputs.FOREIGN;
            }
          }
        }
        case OperatorInput.Wanting wanted -> wanting = wanting == null ? wanted : wanting;
        case OperatorInput.Barred _, OperatorInput.Foreign _ -> {
          // Not a member.
        }
      }
    }
    if (ready < ENOUGH && wanting != null) {
      return wanting;
    }
    return exampleId.equals(representative)
        ? new OperatorInput.Ready(new GroupDocument(aggregate).of(members), label)
        : OperatorInputs.FOREIGN;
  }

  private boolean sameGroup(Document one, Document other) {
    return GroupKey.of(one, aggregate.by()).equals(GroupKey.of(other, aggregate.by()));
  }
}

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
 * Groups of validation examples that an aggregate is tried on: examples whose fields to group by
 * are equal. One example of a group stands for it, the others are {@link OperatorInput.Foreign}.
 *
 * <p>Large groups are cut, so that there are several to try on; but not where one is labelled, as a
 * label speaks of the whole. What a group was when it was first tried it stays, so that all
 * implementations see the same.
 */
final class GroupInputs {

  /** Examples that a group is looked for in, where there is one group only. */
  private static final int ALL_IN_ONE = 8;

  /** Examples that groups are looked for in, where there are fields to group by. */
  private static final int GROUPED = 32;

  /** A group should show more than one document, if more can be had. */
  private static final int ENOUGH = 3;

  private final Aggregate aggregate;
  private final ProgramSnapshot view;
  private final OperatorInputs inputs;
  private final List<List<ValidationExample>> pools = new ArrayList<>();
  private final Map<String, List<ValidationExample>> poolOf = new HashMap<>();

  GroupInputs(Aggregate aggregate, ProgramSnapshot view, OperatorInputs inputs) {
    this.aggregate = aggregate;
    this.view = view;
    this.inputs = inputs;
    fillPools();
  }

  private void fillPools() {
    List<ValidationExample> examples =
        view.examples().stream().filter(example -> !isForeign(example)).toList();
    boolean labelled = examples.stream().anyMatch(example -> example.label(aggregate.id()) != null);
    int size =
        labelled ? Math.max(1, examples.size()) : aggregate.by().isEmpty() ? ALL_IN_ONE : GROUPED;
    for (int from = 0; from < examples.size(); from += size) {
      List<ValidationExample> pool = examples.subList(from, Math.min(from + size, examples.size()));
      pools.add(pool);
      pool.forEach(example -> poolOf.put(example.id(), pool));
    }
  }

  private boolean isForeign(ValidationExample example) {
    return inputs.leaving(aggregate.input(), example.id()) instanceof OperatorInput.Foreign;
  }

  OperatorInput of(String exampleId) {
    SampleTask tried = view.firstTask(aggregate, exampleId);
    if (tried != null) {
      return new OperatorInput.Ready(tried.input(), tried.label());
    }
    OperatorInput own = inputs.leaving(aggregate.input(), exampleId);
    List<ValidationExample> pool = poolOf.get(exampleId);
    if (pool == null || !(own instanceof OperatorInput.Ready(Document document, _))) {
      return own;
    }
    OperatorInput.@Nullable Wanting wanting = null;
    int ready = 0;
    List<Document> members = new ArrayList<>();
    JsonNode label = null;
    String representative = null;
    for (ValidationExample example : pool) {
      switch (inputs.leaving(aggregate.input(), example.id())) {
        case OperatorInput.Ready(Document other, _) -> {
          ready++;
          if (sameGroup(document, other)) {
            members.add(other);
            label = label == null ? example.label(aggregate.id()) : label;
            representative = representative == null ? example.id() : representative;
            if (view.firstTask(aggregate, example.id()) != null) {
              return OperatorInputs.FOREIGN;
            }
          }
        }
        case OperatorInput.Wanting wanted -> wanting = wanting == null ? wanted : wanting;
        case OperatorInput.Barred _, OperatorInput.Foreign _ -> {
          // Gives the group no member.
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

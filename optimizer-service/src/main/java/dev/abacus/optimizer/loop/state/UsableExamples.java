package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.Selection;
import dev.abacus.schemas.observation.ValidationExample;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Which examples of a program are sampled. */
final class UsableExamples {

  private UsableExamples() {}

  /**
   * The examples to sample: without unlabelled copies of live documents if there are others, and
   * without documents that were chosen because of their answers, whose scores would be too low. A
   * label that was chosen counts where the document counts without it, so that it only replaces the
   * judge: while all examples are copies, or if it was sampled before.
   */
  static Map<String, ValidationExample> of(
      Map<String, ValidationExample> examples, SampleLedger ledger) {
    Map<String, ValidationExample> usable = new TreeMap<>(examples);
    usable.values().removeIf(example -> example.selected() == Selection.DOCUMENT);
    if (usable.keySet().stream().allMatch(ExampleIds::isCopy)) {
      return usable;
    }
    Set<String> sampled =
        ledger.issued().stream()
            .map(issued -> issued.task().exampleId())
            .filter(ExampleIds::isCopy)
            .map(ExampleIds::position)
            .collect(Collectors.toSet());
    usable
        .values()
        .removeIf(example ->
            example.id().startsWith(ExampleIds.COPIED)
                && (example.labels().isEmpty()
                    || (example.selected() == Selection.LABEL
                        && !sampled.contains(ExampleIds.position(example.id())))));
    // With its label, a document counts once.
    Set<String> labelled =
        usable.keySet().stream()
            .filter(id -> id.startsWith(ExampleIds.COPIED))
            .map(ExampleIds::position)
            .collect(Collectors.toSet());
    usable
        .keySet()
        .removeIf(id -> ExampleIds.isLive(id) && labelled.contains(ExampleIds.position(id)));
    return usable;
  }

  /** The labelled examples that are not sampled, but may stand in prompts. */
  static List<ValidationExample> shownOnly(
      Map<String, ValidationExample> examples, Map<String, ValidationExample> usable) {
    return examples.values().stream()
        .filter(example -> !example.labels().isEmpty() && !usable.containsKey(example.id()))
        .toList();
  }
}

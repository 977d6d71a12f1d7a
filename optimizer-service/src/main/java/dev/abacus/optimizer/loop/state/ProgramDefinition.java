package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.estimate.DocumentSizes;
import dev.abacus.optimizer.estimate.EvidenceSource;
import dev.abacus.optimizer.estimate.OperatorContext;
import dev.abacus.optimizer.estimate.StoredAnswers;
import dev.abacus.optimizer.loop.event.ContentHashes;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.ExampleIds;
import dev.abacus.optimizer.loop.event.SampleLedger;
import dev.abacus.optimizer.loop.prompt.ExampleChooser;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Selection;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The current program with its search space and examples, which determine the samples that count.
 *
 * @param program with the objective and budget in force
 * @param arms the implementations that may be chosen, pins applied, by operator id
 * @param examples to sample, by id
 * @param shownOnly other labelled examples, which may stand in prompts
 * @param round the {@code reoptimize} token in force
 * @param availability which models cannot be called
 * @param live what workers count on live documents
 * @param implementations ids of those of the active plan, by operator
 * @param sources kinds of evidence beside samples
 */
public record ProgramDefinition(
    Program program,
    Map<String, List<PhysicalOperator>> arms,
    Map<String, ValidationExample> examples,
    List<ValidationExample> shownOnly,
    String round,
    ModelAvailability availability,
    LiveCounts live,
    Map<String, String> implementations,
    List<EvidenceSource> sources) {

  /**
   * The examples to sample: without unlabelled copies of live documents if there are others, and
   * without documents that were chosen because of their answers, whose scores would be too low. A
   * label that was chosen counts where the document counts without it, so that it only replaces the
   * judge: while all examples are copies, or if it was sampled before.
   */
  static Map<String, ValidationExample> usable(
      Map<String, ValidationExample> examples, SampleLedger ledger) {
    Map<String, ValidationExample> usable = new TreeMap<>(examples);
    usable.values().removeIf(example -> example.selected() == Selection.DOCUMENT);
    if (usable.keySet().stream().allMatch(ExampleIds::isCopy)) {
      return usable;
    }
    Set<String> sampled =
        ledger
            .samples()
            .map(drawn -> drawn.task().exampleId())
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

  /** The implementations that may be chosen for an operator, pins applied. */
  List<PhysicalOperator> arms(LogicalOperator operator) {
    return arms.getOrDefault(operator.id(), List.of());
  }

  /** The ids of {@link #arms}. */
  Set<String> armIds(LogicalOperator operator) {
    return arms(operator).stream().map(PhysicalOperator::id).collect(Collectors.toSet());
  }

  /** What is known of each operator and its live documents beside evidence. */
  List<OperatorContext> contexts() {
    DocumentSizes sizes = DocumentSizes.of(examples.values(), live.sizes());
    StoredAnswers stored = storedAnswers();
    return program.operators().stream()
        .map(operator -> {
          String id = operator.id();
          return new OperatorContext(
              operator,
              program.validation().metric(id),
              examples.values(),
              sizes,
              BranchFields.upstream(id, program.operators()),
              most -> live.documentsPerCall(id, most),
              live.cachesOf(id),
              physical -> stored.of(id, physical),
              Map.of());
        })
        .toList();
  }

  /** What the examples that prompts show are chosen from. */
  ExampleChooser.Given shown() {
    return new ExampleChooser.Given(
        program,
        arms,
        Stream.concat(examples.values().stream(), shownOnly.stream()).toList(),
        this::readsSource);
  }

  /** Whether the label of an example was chosen because of answers. */
  boolean hasChosenLabel(String exampleId) {
    ValidationExample example = examples.get(exampleId);
    return example != null && example.selected() == Selection.LABEL;
  }

  /** What the answer store leaves of the cost and the latency of live documents. */
  StoredAnswers storedAnswers() {
    return live.storedAnswers(implementations);
  }

  /**
   * The samples that count, in order of issue: those whose operator, metrics, judge, label and
   * document are unchanged. A live document that was removed takes its samples with it, so that
   * they do not grow without end. A failure of an earlier round does not count, because its cause
   * may be gone.
   */
  List<DrawnSample> currentSamples(SampleLedger ledger, ContentHashes hashes) {
    return ofDefinition(ledger, hashes)
        .filter(issued -> !issued.isUnavailable() && !failedBefore(issued))
        .filter(issued -> issued.task().evidenceOnly() || !ledger.isOutdated(issued, round))
        .filter(issued -> isExampleUnchanged(issued, hashes))
        .sorted(Comparator.comparingLong(issued -> issued.stamp().sequence()))
        .toList();
  }

  /**
   * The observations of the same operators of which only the cost counts: those without a result
   * because of a provider, and those on live documents that were removed.
   */
  List<Observation> paidOnly(SampleLedger ledger, ContentHashes hashes) {
    return ofDefinition(ledger, hashes)
        .filter(issued -> issued.isUnavailable() || isRemovedLive(issued.task().exampleId()))
        .map(DrawnSample::observation)
        .filter(Objects::nonNull)
        .toList();
  }

  private boolean isRemovedLive(String exampleId) {
    return ExampleIds.isLive(exampleId) && !examples.containsKey(exampleId);
  }

  private Stream<DrawnSample> ofDefinition(SampleLedger ledger, ContentHashes hashes) {
    Map<String, String> definitions = new HashMap<>();
    for (LogicalOperator operator : program.semanticOperators()) {
      definitions.put(operator.id(), hashes.definition(program, operator));
    }
    return ledger
        .samples()
        .filter(issued ->
            issued.stamp().definition().equals(definitions.get(issued.task().operator().id())));
  }

  private boolean isExampleUnchanged(DrawnSample issued, ContentHashes hashes) {
    ValidationExample example = examples.get(issued.task().exampleId());
    String operator = issued.task().operator().id();
    return example == null
        ? !isRemovedLive(issued.task().exampleId())
        : issued.stamp().evidence().equals(hashes.evidence(example, operator));
  }

  private boolean failedBefore(DrawnSample issued) {
    return !issued.stamp().round().equals(round)
        && switch (issued.sample()) {
          case Sample.Observed(Observation observation) ->
              observation.outcome() == Observation.Outcome.FAILED;
          case Sample.Lost _ -> true;
          case Sample.Outstanding _ -> false;
        };
  }

  /** Whether an operator reads only fields of the source that no operator upstream writes. */
  public boolean readsSource(LogicalOperator operator, String source) {
    if (operator.reads().isEmpty()) {
      return operator.input().equals(source) && operator.inputs().size() == 1;
    }
    String before = operator.inputs().size() == 1 ? operator.input() : "";
    while (!before.equals(source)) {
      LogicalOperator passed = program.operator(before);
      if (passed == null || touches(passed, operator)) {
        return false;
      }
      before = passed.input();
    }
    return true;
  }

  private static boolean touches(LogicalOperator passed, LogicalOperator operator) {
    return passed.inputs().size() != 1
        || !passed.isAboutOneDocument()
        || !Collections.disjoint(passed.writtenFields(), operator.reads());
  }
}

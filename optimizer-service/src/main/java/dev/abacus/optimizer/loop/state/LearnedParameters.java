package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.estimate.Evidence;
import dev.abacus.optimizer.learned.FittedClassifier;
import dev.abacus.optimizer.learned.JoinThresholds;
import dev.abacus.optimizer.learned.TrainingResult;
import dev.abacus.optimizer.loop.prompt.ExampleChooser;
import dev.abacus.optimizer.search.cascades.SearchResult;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.Mixture;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.Cascade;
import dev.abacus.schemas.plan.PhysicalOperator.Learnable;
import dev.abacus.schemas.plan.PhysicalOperator.WithExamples;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.plan.TrainedClassifier;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The learned parameters of {@link Learnable} implementations: applies them to plans and estimates
 * their effect.
 *
 * <p>Samples are drawn with the untrained form, so the model answers every one. Each sample is then
 * evaluated as if it had been drawn with parameters that were learned from all other examples
 * ({@link #unseen}, cross-validation). So every sample adds evidence, no sample becomes obsolete
 * when the parameters change, and no classifier is evaluated on an example that it was trained on.
 *
 * <p>Parameters that a user pinned are not changed, and samples of them are used as they are.
 *
 * @param examples for prompts, by operator id, in the order of their choice
 * @param isPending whether a classifier is still being fitted
 */
public record LearnedParameters(
    Map<EvidenceKey, FittedClassifier> classifiers,
    Map<EvidenceKey, Thresholds> joins,
    Map<EvidenceKey, Embedding> embeddings,
    Map<String, List<SolvedExample>> examples,
    boolean isPending) {

  /**
   * The thresholds of a join.
   *
   * @param all learned from all pairs
   * @param without by example id: learned from the pairs of all other examples
   */
  public record Thresholds(JoinThresholds all, Function<String, JoinThresholds> without) {}

  /**
   * The measured latency and cost of embedding an input.
   *
   * @param seconds mean latency
   * @param usd mean cost
   */
  public record Embedding(double seconds, double usd) {}

  /** The measured cost of embedding; null if it was not measured separately. */
  public @Nullable Embedding embedding(EvidenceKey key) {
    return embeddings.get(key);
  }

  /**
   * The cross-validated decisions of a cascade's classifier on labelled examples, by example id;
   * empty without a classifier.
   */
  public SortedMap<String, TrainingResult.Decision> labelledDecisions(
      String operator, Cascade cascade) {
    SortedMap<String, TrainingResult.Decision> labelled =
        new TreeMap<>(trained(operator, cascade).unseen());
    labelled.values().removeIf(decision -> !decision.labelled());
    return labelled;
  }

  private TrainingResult trained(String operator, Cascade cascade) {
    FittedClassifier fitted = classifiers.get(new EvidenceKey(operator, cascade.features()));
    return fitted == null ? TrainingResult.NONE : fitted.at(cascade.target());
  }

  /** Adds the learned parameters to an untrained implementation; returns others unchanged. */
  public PhysicalOperator equip(String operator, PhysicalOperator physical) {
    PhysicalOperator showing =
        physical instanceof WithExamples few && few.lacksExamples() && isApplicable(operator, few)
            ? few.with(examples(operator).subList(0, few.stored()))
            : physical;
    if (!(showing instanceof Learnable learnable) || learnable.isTrained()) {
      return showing;
    }
    return switch (learnable) {
      case Cascade cascade -> {
        TrainedClassifier trained = trained(operator, cascade).classifier();
        yield trained == null ? cascade : cascade.with(trained);
      }
      case EmbeddingJoin join -> {
        Thresholds learned = joins.get(new EvidenceKey(operator, join.features()));
        yield learned == null ? join : join.with(learned.all().low(), learned.all().high());
      }
    };
  }

  private List<SolvedExample> examples(String operator) {
    return examples.getOrDefault(operator, List.of());
  }

  /** Whether the labelled examples suffice for an implementation that shows some. */
  boolean isApplicable(String operator, PhysicalOperator physical) {
    return !(physical instanceof WithExamples few)
        || !few.lacksExamples()
        || examples(operator).size() > few.stored();
  }

  /**
   * The form of an implementation for a sample: examples in a prompt are neither the measured one
   * nor one with an equal input, so that no prompt contains the answer that it is scored by.
   *
   * @param input of the operator
   */
  public PhysicalOperator forSample(
      LogicalOperator operator, PhysicalOperator physical, String exampleId, Document input) {
    if (!(physical instanceof WithExamples few) || few.examples() == 0) {
      return physical;
    }
    List<SolvedExample> all = few.shown() == null ? examples(operator.id()) : few.shown();
    Document read = ExampleChooser.read(operator, input);
    return few.with(
        all.stream()
            .filter(one -> !one.id().equals(exampleId) && !one.input().equals(read))
            .limit(few.stored())
            .toList());
  }

  /** Adds the learned parameters to all plans of a search result. */
  public SearchResult equip(SearchResult result) {
    return new SearchResult(
        equip(result.chosen()),
        result.feasible(),
        result.frontier().stream().map(this::equip).toList());
  }

  private PlanChoice equip(PlanChoice choice) {
    Mixture mixture = choice.mixture();
    return new PlanChoice(
        choice.steps().stream()
            .map(step -> new PlanStep(step.logical(), equip(step.logical().id(), step.physical())))
            .toList(),
        choice.estimate(),
        choice.spread(),
        mixture == null
            ? null
            : new Mixture(mixture.share(), equip(mixture.plan()), mixture.others()));
  }

  /** Removes implementations whose parameters are not learned yet, unless no other is left. */
  public Map<PhysicalOperator, OperatorEstimate> worthwhile(
      LogicalOperator operator, Map<PhysicalOperator, OperatorEstimate> eligible) {
    Map<PhysicalOperator, OperatorEstimate> worthwhile = new LinkedHashMap<>(eligible);
    worthwhile.keySet().removeIf(arm -> isUntrained(equip(operator.id(), arm)));
    return worthwhile.isEmpty() ? eligible : worthwhile;
  }

  /** Whether an implementation needs learned parameters or examples and has none. */
  public static boolean isUntrained(PhysicalOperator physical) {
    return (physical instanceof Learnable learnable && !learnable.isTrained())
        || (physical instanceof WithExamples few && few.lacksExamples());
  }

  /** The form of an implementation in the search space, without learned parameters. */
  public static PhysicalOperator asSampled(PhysicalOperator physical, List<PhysicalOperator> arms) {
    return arms.stream().filter(arm -> arm.matches(physical)).findFirst().orElse(physical);
  }

  /** Whether labelled examples suffice to estimate the implementation without sampling it. */
  boolean followsFromLabels(String operator, PhysicalOperator physical) {
    return physical instanceof Cascade cascade
        && isUntrained(cascade)
        && embedding(new EvidenceKey(operator, cascade.features())) != null
        && labelledDecisions(operator, cascade).size() >= FittedClassifier.MIN_EXAMPLES;
  }

  /** The evidence as if drawn with parameters learned from all examples but its own. */
  public Evidence unseen(SampleTask task, Evidence evidence) {
    Observation answer = new UnseenObservation(this, task, evidence.seen()).get();
    EvidenceKey key = EvidenceKey.of(task);
    return key == null || answer.equals(evidence.seen())
        ? evidence
        : evidence.derived(answer, key.features());
  }

  /** The classifier's decision on an example that it was not trained on; null if there is none. */
  TrainingResult.@Nullable Decision decision(String operator, Cascade cascade, String exampleId) {
    return trained(operator, cascade).unseen().get(exampleId);
  }

  /** The thresholds of a join learned from the other examples; null if there are none. */
  @Nullable JoinThresholds thresholdsWithout(EvidenceKey key, String exampleId) {
    Thresholds thresholds = joins.get(key);
    return thresholds == null ? null : thresholds.without().apply(exampleId);
  }
}

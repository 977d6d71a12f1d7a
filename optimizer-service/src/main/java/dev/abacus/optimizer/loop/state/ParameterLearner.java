package dev.abacus.optimizer.loop.state;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.learned.FittedClassifier;
import dev.abacus.optimizer.learned.JoinThresholds;
import dev.abacus.optimizer.learned.JoinThresholds.Example;
import dev.abacus.optimizer.learned.LabelledVector;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.prompt.ExampleChooser;
import dev.abacus.optimizer.loop.state.ProgramSnapshot.EmbeddedExamples;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.plan.PhysicalOperator.Learnable;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.supervision.RestartPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Learns {@link LearnedParameters} from the evidence of samples. The parameters are a function of
 * the evidence, so a restart yields the same ones, byte for byte; the cache only avoids fitting
 * twice.
 *
 * <p>A classifier is fitted once for each change of its evidence ({@link EvidencePool}).
 */
public final class ParameterLearner {

  /** A cached result with the evidence that it was learned from. */
  private record Remembered<E, R>(List<E> from, R result) {}

  private record Known(String exampleId, String embedding, JsonNode answer, boolean labelled) {}

  private final Map<EvidenceKey, Remembered<Known, CompletableFuture<FittedClassifier>>>
      classifiers = new HashMap<>();
  private final Map<EvidenceKey, Remembered<Example, LearnedParameters.Thresholds>> joins =
      new HashMap<>();
  private final ExampleChooser chooser = new ExampleChooser();
  private final Executor fitting;

  /** Set by the fitting thread. */
  private final AtomicBoolean news = new AtomicBoolean();

  /**
   * Creates a learner with an empty cache.
   *
   * @param fitting runs the fits of classifiers, which may take a minute
   */
  public ParameterLearner(Executor fitting) {
    this.fitting = fitting;
  }

  /** Whether a fit was completed since the last {@link #from}. */
  boolean hasNews() {
    return news.get();
  }

  /**
   * Learns from these samples. While a classifier is being fitted, {@link
   * LearnedParameters#isPending} is true and no decision may be made, because decisions must not
   * depend on the duration of a fit.
   *
   * @param issued the samples that count
   * @param embedded those of them that only embed
   */
  LearnedParameters from(
      ProgramDefinition definition, List<DrawnSample> issued, EmbeddedExamples embedded) {
    news.set(false);
    Program program = definition.program();
    EvidencePool pool = new EvidencePool(issued);
    Map<EvidenceKey, SortedMap<String, Observation>> evidence = pool.best();
    Map<EvidenceKey, FittedClassifier> fitted = new HashMap<>();
    Map<EvidenceKey, LearnedParameters.Thresholds> thresholds = new HashMap<>();
    boolean pending = false;
    for (EvidenceKey key : evidence.keySet()) {
      SortedMap<String, Observation> byExample = Objects.requireNonNull(evidence.get(key));
      LogicalOperator operator = program.operator(key.operator());
      AnswerClasses classes = operator == null ? null : AnswerClasses.of(operator);
      // A fit before the last batch would be wasted.
      if (classes != null && !embedded.isGrowing(key)) {
        CompletableFuture<FittedClassifier> fit = fit(key, byExample, classes);
        if (fit.isDone()) {
          fitted.put(key, result(fit));
        } else {
          pending = true;
        }
      }
      List<Example> pairs = pairs(byExample);
      if (!pairs.isEmpty()) {
        thresholds.put(key, thresholds(key, pairs));
      }
    }
    return new LearnedParameters(
        fitted, thresholds, pool.embeddings(), chooser.choose(definition.shown()), pending);
  }

  private static FittedClassifier result(CompletableFuture<FittedClassifier> fit) {
    try {
      return fit.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Error error && RestartPolicy.showsBrokenJvm(error)) {
        throw error; // no failure of the search
      }
      throw e;
    }
  }

  private CompletableFuture<FittedClassifier> fit(
      EvidenceKey key, SortedMap<String, Observation> byExample, AnswerClasses classes) {
    List<Known> known = new ArrayList<>();
    byExample.forEach((exampleId, seen) -> {
      if (seen.evidence() instanceof Evidence.Embedded embedded) {
        known.add(
            new Known(exampleId, embedded.embedding(), embedded.answer(), embedded.labelled()));
      }
    });
    Remembered<Known, CompletableFuture<FittedClassifier>> before = classifiers.get(key);
    if (before != null && before.from().equals(known)) {
      return before.result();
    }
    List<String> answers = classes.values().stream().map(JsonNode::toString).toList();
    CompletableFuture<FittedClassifier> fit =
        CompletableFuture.supplyAsync(
            () -> FittedClassifier.fit(vectors(known, classes), answers), fitting);
    classifiers.put(key, new Remembered<>(known, fit));
    if (!fit.isDone()) {
      // Attached to the fit itself, so that the fit is done when the flag is visible.
      var _ = fit.whenComplete((_, _) -> news.set(true));
    }
    return fit;
  }

  private static List<LabelledVector> vectors(List<Known> known, AnswerClasses classes) {
    List<LabelledVector> vectors = new ArrayList<>();
    for (Known example : known) {
      JsonNode answer = classes.find(example.answer());
      if (answer != null) {
        vectors.add(
            new LabelledVector(
                example.exampleId(),
                decode(example.embedding()),
                classes.values().indexOf(answer),
                example.labelled()));
      }
    }
    return vectors;
  }

  /** Empty if the text is not Base64; training ignores such an example. */
  private static float[] decode(String embedding) {
    try {
      return Evidence.decode(embedding);
    } catch (IllegalArgumentException e) {
      return new float[0];
    }
  }

  private static List<Example> pairs(SortedMap<String, Observation> byExample) {
    List<Example> known = new ArrayList<>();
    byExample.forEach((exampleId, seen) -> {
      if (seen.evidence() instanceof Evidence.Pairs(List<Evidence.Pair> pairs, Double _)) {
        known.add(new Example(exampleId, pairs));
      }
    });
    return known;
  }

  private LearnedParameters.Thresholds thresholds(EvidenceKey key, List<Example> known) {
    Remembered<Example, LearnedParameters.Thresholds> before = joins.get(key);
    if (before != null && before.from().equals(known)) {
      return before.result();
    }
    Map<String, Example> byExample = new HashMap<>();
    known.forEach(pairs -> byExample.put(pairs.id(), pairs));
    Map<String, JoinThresholds> without = new HashMap<>();
    // Computed on demand: only examples with a sample are asked for.
    LearnedParameters.Thresholds thresholds =
        new LearnedParameters.Thresholds(
            train(known, null),
            exampleId -> without.computeIfAbsent(exampleId, id -> train(known, byExample.get(id))));
    joins.put(key, new Remembered<>(known, thresholds));
    return thresholds;
  }

  @SuppressWarnings("ReferenceEquality") // one of the list itself is left out, not its like
  private static JoinThresholds train(List<Example> known, @Nullable Example left) {
    return JoinThresholds.of(known.stream().filter(one -> one != left).toList());
  }

  /**
   * The evidence of samples, one observation per operator, embedder and example.
   *
   * <p>All implementations of an operator with the same embedder share their evidence. If several
   * were sampled on one example, labelled evidence takes precedence, then the answer with the best
   * score; ties go by the mean quality of the implementation, then by id. An answer that the judge
   * rejects is no evidence. Only complete waves count, so that the evidence does not depend on the
   * order of arrival.
   *
   * @param issued the samples that count
   */
  private record EvidencePool(List<DrawnSample> issued) {

    private static final double HALF_RIGHT = 0.5;

    /** Mean latency and cost of the samples that only embed. */
    Map<EvidenceKey, LearnedParameters.Embedding> embeddings() {
      return issued.stream()
          .filter(task ->
              task.task().physical() instanceof Learnable
                  && task.sample() instanceof Sample.Observed(Observation seen)
                  && seen.outcome() == Observation.Outcome.EMBEDDED)
          .collect(
              Collectors.groupingBy(
                  task -> Objects.requireNonNull(EvidenceKey.of(task.task())),
                  Collectors.mapping(
                      task -> Objects.requireNonNull(task.observation()),
                      Collectors.teeing(
                          Collectors.averagingDouble(Observation::latency),
                          Collectors.averagingDouble(Observation::cost),
                          LearnedParameters.Embedding::new))));
    }

    /** The observation whose evidence counts, by example id. */
    Map<EvidenceKey, SortedMap<String, Observation>> best() {
      long complete =
          issued.stream()
              .filter(task -> task.sample() instanceof Sample.Outstanding)
              .mapToLong(task -> task.stamp().wave())
              .min()
              .orElse(Long.MAX_VALUE);
      Comparator<Observation> order = order(meanQuality());
      Map<EvidenceKey, SortedMap<String, Observation>> best = new HashMap<>();
      for (DrawnSample task : issued) {
        Observation seen = task.observation();
        EvidenceKey key = EvidenceKey.of(task.task());
        if (seen != null && key != null && task.stamp().wave() < complete && isEvidence(seen)) {
          best.computeIfAbsent(key, _ -> new TreeMap<>())
              .merge(
                  seen.exampleId(),
                  seen,
                  (one, other) -> order.compare(one, other) <= 0 ? one : other);
        }
      }
      return best;
    }

    private static Comparator<Observation> order(Map<String, Double> meanQuality) {
      return Comparator.comparing((Observation seen) -> !isLabelled(seen.evidence()))
          // Never changes with later samples, so no refit is needed.
          .thenComparing(seen -> seen.outcome() != Observation.Outcome.EMBEDDED)
          .thenComparing(Observation::quality, Comparator.nullsLast(Comparator.reverseOrder()))
          .thenComparing(
              seen -> meanQuality.get(arm(seen)), Comparator.nullsLast(Comparator.reverseOrder()))
          .thenComparing(Observation::physical)
          .thenComparing(Observation::taskId);
    }

    private Map<String, Double> meanQuality() {
      return issued.stream()
          .map(DrawnSample::observation)
          .filter(seen -> seen != null && seen.quality() != null)
          .collect(
              Collectors.groupingBy(
                  EvidencePool::arm, Collectors.averagingDouble(Observation::quality)));
    }

    private static String arm(Observation observation) {
      return observation.operator() + '\n' + observation.physical();
    }

    private static boolean isEvidence(Observation seen) {
      Double quality = seen.quality();
      return seen.evidence() != null
          && (isLabelled(seen.evidence())
              || seen.evidence() instanceof Evidence.Pairs
              || quality == null
              || quality >= HALF_RIGHT);
    }

    private static boolean isLabelled(@Nullable Evidence evidence) {
      return switch (evidence) {
        case Evidence.Embedded embedded -> embedded.labelled();
        case Evidence.Pairs(List<Evidence.Pair> pairs, Double _) ->
            pairs.stream().anyMatch(Evidence.Pair::labelled);
        case Evidence.Conditions _ -> false;
        case null -> false;
      };
    }
  }
}

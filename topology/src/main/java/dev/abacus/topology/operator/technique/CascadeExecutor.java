package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.LearnedCascade;
import dev.abacus.schemas.plan.LinearClassifier;
import dev.abacus.schemas.plan.ModelCascade;
import dev.abacus.schemas.plan.PhysicalOperator.Cascade;
import dev.abacus.schemas.plan.TrainedClassifier;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Execution;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A classifier on the features of an input answers if it is confident; otherwise a model answers.
 *
 * <pre>
 *   input ──► features ──► classifier ── confident ─────────────► output, no call of the model
 *                               └─────── not confident ──► model ──► output, and evidence
 * </pre>
 *
 * <p>The features are the embedding of the input ({@link EmbeddingFeatures}) or the answer of a
 * proxy with its probability ({@link ProxyFeatures}).
 *
 * <p>The model answers everything until a classifier is trained, and also if there are no features.
 * Only the model's answers are evidence; the classifier's own answers would confirm themselves.
 */
final class CascadeExecutor {

  /** The maximum number of decoded classifiers; others are decoded again. */
  private static final int MAX_CLASSIFIERS = 64;

  private final LoadingCache<TrainedClassifier, LinearClassifier> classifiers =
      Caffeine.newBuilder().maximumSize(MAX_CLASSIFIERS).build(LinearClassifier::of);

  /** Computes the features of an input. */
  @FunctionalInterface
  interface FeatureSource {

    /**
     * The features.
     *
     * @throws OperatorFailedException if there are none; the reason is its message
     */
    float[] of(SemanticCall<?> call, AnswerClasses classes)
        throws InterruptedException, OperatorFailedException;
  }

  /**
   * Runs a map or a filter with a cascade.
   *
   * @throws OperatorFailedException if it cannot be completed
   */
  <A> OperatorOutcome run(SemanticCall<A> call, Cascade technique)
      throws InterruptedException, OperatorFailedException {
    LogicalOperator operator = call.logical();
    AnswerClasses classes = classes(operator);
    FeatureSource source = source(technique, call.execution());
    float[] vector;
    try {
      vector = source.of(call, classes);
    } catch (OperatorFailedException e) {
      return call.answer(technique.model());
    }
    ExecutionStats features = call.execution().stats();
    TrainedClassifier trained = technique.classifier();
    JsonNode confident = trained == null ? null : classify(operator, trained, vector, classes);
    if (confident != null) {
      return classified(operator, call.execution().document(), confident, features);
    }
    OperatorOutcome outcome = call.answer(technique.model());
    JsonNode answer = answer(operator, outcome, classes);
    return answer == null
        ? outcome
        : outcome.withEvidence(evidence(technique, vector, answer, features));
  }

  private static AnswerClasses classes(LogicalOperator operator) throws OperatorFailedException {
    AnswerClasses classes = AnswerClasses.of(operator);
    if (classes == null) {
      throw OperatorFailedException.unusablePlan(
          "the %s '%s' has no small set of answers that a classifier could choose from"
              .formatted(operator.kind(), operator.id()));
    }
    return classes;
  }

  private static FeatureSource source(Cascade technique, Execution execution)
      throws OperatorFailedException {
    return switch (technique) {
      case LearnedCascade learned -> new EmbeddingFeatures(execution.embedder(learned.embedder()));
      case ModelCascade cascade -> new ProxyFeatures(cascade.proxy());
    };
  }

  /** Computes the features without a call of the cascade's model; the answer stays open. */
  Evidence collectEvidence(Cascade technique, Execution execution)
      throws InterruptedException, OperatorFailedException {
    SemanticCall<?> call = SemanticCall.of(execution);
    float[] vector = source(technique, execution).of(call, classes(call.logical()));
    return evidence(technique, vector, NullNode.getInstance(), execution.stats());
  }

  private static Evidence evidence(
      Cascade technique, float[] vector, JsonNode answer, ExecutionStats stats) {
    return new Evidence.Embedded(
        technique.features(),
        Evidence.encode(vector),
        answer,
        false,
        stats.latency(),
        stats.cost() > 0 ? stats.cost() : null);
  }

  /** The classifier's answer; null if it is not confident. */
  private @Nullable JsonNode classify(
      LogicalOperator operator, TrainedClassifier trained, float[] vector, AnswerClasses classes)
      throws OperatorFailedException {
    try {
      String answer = Objects.requireNonNull(classifiers.get(trained)).answer(vector);
      if (answer == null) {
        return null;
      }
      return classes.values().stream()
          .filter(value -> value.toString().equals(answer))
          .findFirst()
          .orElseThrow(
              () -> new IllegalArgumentException(answer + " is not an answer of the operator"));
    } catch (IllegalArgumentException e) {
      throw OperatorFailedException.unusablePlan(
          "the classifier of '%s': %s".formatted(operator.id(), e.getMessage()));
    }
  }

  private static OperatorOutcome classified(
      LogicalOperator operator, Document document, JsonNode answer, ExecutionStats stats) {
    if (operator instanceof SemanticMap map) {
      String field = map.writes().getFirst().name();
      return new OperatorOutcome.Kept(document.with(field, answer), stats);
    }
    return answer.booleanValue()
        ? new OperatorOutcome.Kept(document, stats)
        : new OperatorOutcome.Dropped(stats);
  }

  /** The model's answer as one of the classes; null after a failure. */
  private static @Nullable JsonNode answer(
      LogicalOperator operator, OperatorOutcome outcome, AnswerClasses classes) {
    return switch (outcome) {
      case OperatorOutcome.Kept kept when operator instanceof SemanticMap map ->
          kept.document().get(map.writes().getFirst().name());
      case OperatorOutcome.Kept _ -> classes.values().getFirst();
      case OperatorOutcome.Dropped _ -> classes.values().getLast();
      case OperatorOutcome.Failed _ -> null;
    };
  }
}

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
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.EvidenceOutcome;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
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
final class CascadeExecutor implements OperatorExecutor<Cascade> {

  /** The maximum number of decoded classifiers; others are decoded again. */
  private static final int MAX_CLASSIFIERS = 64;

  private final Embedders embedders;
  private final LoadingCache<TrainedClassifier, LinearClassifier> classifiers =
      Caffeine.newBuilder().maximumSize(MAX_CLASSIFIERS).build(LinearClassifier::of);

  CascadeExecutor(Embedders embedders) {
    this.embedders = embedders;
  }

  /** Computes the features of an input. */
  @FunctionalInterface
  interface FeatureSource {
    Features of(SemanticCall<?> call, AnswerClasses classes) throws InterruptedException;
  }

  /**
   * The features of an input.
   *
   * @param vector null if there are none; then the model answers
   * @param stats cost and latency of the features
   * @param reason why there are none; null if there are
   * @param fault the failure of the model that computes them; null if that is not the reason
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Features(
      float @Nullable [] vector,
      ExecutionStats stats,
      @Nullable String reason,
      @Nullable OperatorFailure fault) {

    static Features of(float[] vector, ExecutionStats stats) {
      return new Features(vector, stats, null, null);
    }

    static Features none(String reason, ExecutionStats stats) {
      return new Features(null, stats, reason, null);
    }

    static Features failed(OperatorFailure fault, ExecutionStats stats) {
      return new Features(null, stats, fault.message(), fault);
    }
  }

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, Cascade technique, Document document, ModelClient client)
      throws InterruptedException {
    AnswerClasses classes = AnswerClasses.of(operator);
    if (classes == null) {
      return OperatorOutcome.Failed.unusablePlan(
          "the %s '%s' has no small set of answers that a classifier could choose from"
              .formatted(operator.kind(), operator.id()));
    }
    FeatureSource source = source(technique);
    if (source == null) {
      return OperatorOutcome.Failed.unusablePlan(
          "there is no embedder '" + technique.features() + "'");
    }
    return SemanticCall.run(
        operator,
        document,
        client,
        call -> answer(operator, technique, call, classes, source.of(call, classes)));
  }

  /** Null if the embedder is unknown. */
  private @Nullable FeatureSource source(Cascade technique) {
    return switch (technique) {
      case LearnedCascade learned -> EmbeddingFeatures.of(embedders.find(learned.embedder()));
      case ModelCascade cascade -> new ProxyFeatures(cascade.proxy());
    };
  }

  private OperatorOutcome answer(
      LogicalOperator operator,
      Cascade technique,
      SemanticCall<?> call,
      AnswerClasses classes,
      Features features)
      throws InterruptedException {
    TrainedClassifier trained = technique.classifier();
    float[] vector = features.vector();
    if (trained != null && vector != null) {
      try {
        JsonNode confident = classify(trained, vector, classes);
        if (confident != null) {
          return classified(operator, call.document(), confident, features.stats());
        }
      } catch (IllegalArgumentException e) {
        return OperatorOutcome.Failed.unusablePlan(
            "the classifier of '%s': %s".formatted(operator.id(), e.getMessage()));
      }
    }
    OperatorOutcome outcome = call.answer(technique.model(), features.stats());
    JsonNode answer = answer(operator, outcome, classes);
    return answer == null || vector == null
        ? outcome
        : outcome.withEvidence(evidence(technique, vector, answer, features.stats()));
  }

  /** Computes the features without a call of the cascade's model; the answer stays open. */
  EvidenceOutcome collectEvidence(
      LogicalOperator operator, Cascade technique, Document document, ModelClient client)
      throws InterruptedException {
    AnswerClasses classes = AnswerClasses.of(operator);
    FeatureSource source = source(technique);
    SemanticCall<?> call = SemanticCall.of(operator, document, client);
    if (classes == null || source == null || call == null) {
      return EvidenceOutcome.none(
          "'%s' has no features %s".formatted(operator.id(), technique.features()),
          ExecutionStats.NONE);
    }
    Features features = source.of(call, classes);
    float[] vector = features.vector();
    if (vector != null) {
      return EvidenceOutcome.of(
          evidence(technique, vector, NullNode.getInstance(), features.stats()), features.stats());
    }
    return features.fault() == null
        ? EvidenceOutcome.none(Objects.requireNonNull(features.reason()), features.stats())
        : EvidenceOutcome.failed(features.fault(), features.stats());
  }

  private static Evidence evidence(
      Cascade technique, float[] vector, JsonNode answer, ExecutionStats stats) {
    return new Evidence.Embedded(
        technique.features(),
        encode(vector),
        answer,
        false,
        stats.latency(),
        stats.cost() > 0 ? stats.cost() : null);
  }

  /**
   * The classifier's answer; null if it is not confident.
   *
   * @throws IllegalArgumentException if the classifier does not fit the features or the operator
   */
  private @Nullable JsonNode classify(
      TrainedClassifier trained, float[] vector, AnswerClasses classes) {
    LinearClassifier classifier = Objects.requireNonNull(classifiers.get(trained));
    String answer = classifier.answer(vector);
    if (answer == null) {
      return null;
    }
    return classes.values().stream()
        .filter(value -> value.toString().equals(answer))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException(answer + " is not an answer of the operator"));
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

  private static String encode(float[] values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return Base64.getEncoder().encodeToString(bytes.array());
  }
}

package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Image;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.LinearClassifier;
import dev.abacus.schemas.plan.PhysicalOperator.LearnedCascade;
import dev.abacus.schemas.plan.TrainedClassifier;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.EvidenceOutcome;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A classifier on the input's embedding answers if it is confident; otherwise a model answers.
 *
 * <pre>
 *   text ──► embedder ──► classifier ── confident ─────────────► output, no call
 *                              └─────── not confident ──► model ──► output, and evidence
 * </pre>
 *
 * <p>The model answers everything until a classifier is trained, and also if there is no text to
 * embed or the embedder fails. Only the model's answers are evidence; the classifier's own answers
 * would confirm themselves.
 */
final class LearnedCascadeExecutor implements OperatorExecutor<LearnedCascade> {

  /** The maximum number of decoded classifiers; others are decoded again. */
  private static final int MAX_CLASSIFIERS = 64;

  private final Embedders embedders;
  private final LoadingCache<TrainedClassifier, LinearClassifier> classifiers =
      Caffeine.newBuilder().maximumSize(MAX_CLASSIFIERS).build(LinearClassifier::of);

  LearnedCascadeExecutor(Embedders embedders) {
    this.embedders = embedders;
  }

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, LearnedCascade technique, Document document, ModelClient client)
      throws InterruptedException {
    AnswerClasses classes = AnswerClasses.of(operator);
    if (classes == null) {
      return OperatorOutcome.Failed.unusablePlan(
          "the %s '%s' has no small set of answers that a classifier could choose from"
              .formatted(operator.kind(), operator.id()));
    }
    Embedder embedder = embedders.find(technique.embedder());
    if (embedder == null) {
      return OperatorOutcome.Failed.unusablePlan(
          "there is no embedder '" + technique.embedder() + "'");
    }
    return SemanticCall.run(
        operator,
        document,
        client,
        call -> {
          String text = text(call.input());
          if (text.isEmpty()) {
            return call.answer(technique.model(), ExecutionStats.NONE);
          }
          EmbeddingAnswer embedded = embedder.embed(List.of(text));
          ExecutionStats stats = ExecutionStats.ofEmbedding(embedded);
          return switch (embedded) {
            case EmbeddingAnswer.Failed _ -> call.answer(technique.model(), stats);
            case EmbeddingAnswer.Success success ->
                answer(operator, technique, call, success.embeddings().getFirst(), stats);
          };
        });
  }

  private OperatorOutcome answer(
      LogicalOperator operator,
      LearnedCascade technique,
      SemanticCall<?> call,
      Embedding embedding,
      ExecutionStats stats)
      throws InterruptedException {
    AnswerClasses classes = Objects.requireNonNull(AnswerClasses.of(operator));
    TrainedClassifier trained = technique.classifier();
    if (trained != null) {
      try {
        JsonNode confident = classify(trained, embedding, classes);
        if (confident != null) {
          return classified(operator, call.document(), confident, stats);
        }
      } catch (IllegalArgumentException e) {
        return OperatorOutcome.Failed.unusablePlan(
            "the classifier of '%s': %s".formatted(operator.id(), e.getMessage()));
      }
    }
    OperatorOutcome outcome = call.answer(technique.model(), stats);
    JsonNode answer = answer(operator, outcome, classes);
    return answer == null
        ? outcome
        : outcome.withEvidence(
            new Evidence.Embedded(
                technique.embedder(), encode(embedding), answer, false, stats.latency()));
  }

  /** Embeds the input without a call of the model; the answer stays open. */
  EvidenceOutcome collectEvidence(
      LogicalOperator operator, LearnedCascade technique, Document document)
      throws InterruptedException {
    Embedder embedder = embedders.find(technique.embedder());
    if (AnswerClasses.of(operator) == null || embedder == null) {
      return EvidenceOutcome.none(
          "'%s' cannot be embedded".formatted(operator.id()), ExecutionStats.NONE);
    }
    String text = text(OperatorPrompt.input(operator, document));
    if (text.isEmpty()) {
      return EvidenceOutcome.none("there is no text to embed", ExecutionStats.NONE);
    }
    EmbeddingAnswer answer = embedder.embed(List.of(text));
    ExecutionStats stats = ExecutionStats.ofEmbedding(answer);
    return switch (answer) {
      case EmbeddingAnswer.Failed failed ->
          EvidenceOutcome.failed(
              new OperatorFailure.ModelFailed(technique.embedder(), failed.failure()), stats);
      case EmbeddingAnswer.Success success ->
          EvidenceOutcome.of(
              new Evidence.Embedded(
                  technique.embedder(),
                  encode(success.embeddings().getFirst()),
                  NullNode.getInstance(),
                  false,
                  stats.latency()),
              stats);
    };
  }

  /** The texts of all fields, one per line. */
  private static String text(Document input) {
    List<String> texts = new ArrayList<>();
    for (String name : input.fieldNames()) {
      JsonNode value = input.get(name);
      if (!value.isNull() && Image.of(value) == null) {
        texts.add(value.isTextual() ? value.textValue() : value.toString());
      }
    }
    return String.join("\n", texts).strip();
  }

  /**
   * The classifier's answer; null if it is not confident.
   *
   * @throws IllegalArgumentException if the classifier does not fit the embedding or the operator
   */
  private @Nullable JsonNode classify(
      TrainedClassifier trained, Embedding embedding, AnswerClasses classes) {
    LinearClassifier classifier = Objects.requireNonNull(classifiers.get(trained));
    String answer = classifier.answer(embedding.toArray());
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

  private static String encode(Embedding embedding) {
    float[] values = embedding.toArray();
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return Base64.getEncoder().encodeToString(bytes.array());
  }
}

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
 * A classifier on the input's embedding answers where it is sure, a model the rest.
 *
 * <pre>
 *   text ──► embedder ──► classifier ── sure ──────────────► output, no call
 *                              └─────── not sure ──► model ──► output, and evidence
 * </pre>
 *
 * <p>Until a classifier is trained the model answers all. What a model answered is evidence, what
 * the classifier answered is not: it would only confirm itself. Where there is no text to embed, or
 * the embedder fails, the model answers too; nothing is lost but the saving.
 */
final class LearnedCascadeExecutor implements OperatorExecutor<LearnedCascade> {

  /** Plans in use at a time, with their operators; the rest is unpacked again. */
  private static final int CLASSIFIERS = 64;

  private final Embedders embedders;
  private final LoadingCache<TrainedClassifier, LinearClassifier> classifiers =
      Caffeine.newBuilder().maximumSize(CLASSIFIERS).build(LinearClassifier::of);

  LearnedCascadeExecutor(Embedders embedders) {
    this.embedders = embedders;
  }

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, LearnedCascade technique, Document document, ModelClient client)
      throws InterruptedException {
    AnswerClasses classes = AnswerClasses.of(operator);
    Embedder embedder = embedders.find(technique.embedder());
    if (classes == null) {
      return unusable(
          "the %s '%s' has no small set of answers that a classifier could choose from"
              .formatted(operator.kind(), operator.id()));
    }
    if (embedder == null) {
      return unusable("there is no embedder '" + technique.embedder() + "'");
    }
    return SemanticCall.with(
        operator,
        document,
        (question, shown) -> {
          String text = text(shown);
          EmbeddingAnswer embedded = embedder.embed(text.isEmpty() ? List.of() : List.of(text));
          ExecutionStats stats = ExecutionStats.ofEmbedding(embedded);
          Embedding embedding =
              embedded instanceof EmbeddingAnswer.Success success && !text.isEmpty()
                  ? success.embeddings().getFirst()
                  : null;
          if (embedding == null) {
            return SemanticCall.ask(question, document, shown, technique.model(), client, stats);
          }
          TrainedClassifier trained = technique.classifier();
          if (trained != null) {
            try {
              JsonNode alone = alone(trained, embedding, classes);
              if (alone != null) {
                return answered(operator, document, alone, stats);
              }
            } catch (IllegalArgumentException e) {
              return unusable(
                  "the classifier of '%s': %s".formatted(operator.id(), e.getMessage()));
            }
          }
          OperatorOutcome outcome =
              SemanticCall.ask(question, document, shown, technique.model(), client, stats);
          return withEvidence(
              operator, outcome, classes, technique.embedder(), embedding, stats.latency());
        });
  }

  /** The embedding alone, its answer left open; no model is called. */
  EvidenceOutcome collectEvidence(
      LogicalOperator operator, LearnedCascade technique, Document document)
      throws InterruptedException {
    Embedder embedder = embedders.find(technique.embedder());
    if (AnswerClasses.of(operator) == null || embedder == null) {
      return EvidenceOutcome.nothing(
          "'%s' cannot be embedded".formatted(operator.id()), ExecutionStats.NONE);
    }
    String text = text(OperatorPrompt.input(operator, document));
    if (text.isEmpty()) {
      return EvidenceOutcome.nothing("there is no text to embed", ExecutionStats.NONE);
    }
    EmbeddingAnswer answer = embedder.embed(List.of(text));
    ExecutionStats stats = ExecutionStats.ofEmbedding(answer);
    return switch (answer) {
      case EmbeddingAnswer.Failed failed ->
          EvidenceOutcome.nothing("embedding failed: " + failed.failure().message(), stats);
      case EmbeddingAnswer.Success success ->
          EvidenceOutcome.by(
              new Evidence.Embedded(
                  technique.embedder(),
                  encode(success.embeddings().getFirst()),
                  NullNode.getInstance(),
                  false,
                  stats.latency()),
              stats);
    };
  }

  /** The texts of the fields read, as they are; several one below the other. */
  private static String text(Document shown) {
    List<String> texts = new ArrayList<>();
    for (String name : shown.fieldNames()) {
      JsonNode value = shown.get(name);
      if (!value.isNull() && Image.of(value) == null) {
        texts.add(value.isTextual() ? value.textValue() : value.toString());
      }
    }
    return String.join("\n", texts).strip();
  }

  /**
   * The classifier's answer, or null if it is not sure.
   *
   * @throws IllegalArgumentException if it is not one for this embedding or this operator
   */
  private @Nullable JsonNode alone(
      TrainedClassifier trained, Embedding embedding, AnswerClasses classes) {
    LinearClassifier classifier = Objects.requireNonNull(classifiers.get(trained));
    String answer = classifier.answer(embedding.toArray());
    if (answer == null) {
      return null;
    }
    return classes.values().stream()
        .filter(value -> value.toString().equals(answer))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(answer + " is no answer of the operator"));
  }

  private static OperatorOutcome answered(
      LogicalOperator operator, Document document, JsonNode answer, ExecutionStats stats) {
    if (operator instanceof SemanticMap map) {
      String field = map.writes().getFirst().name();
      return new OperatorOutcome.Kept(document.with(field, answer), stats);
    }
    return answer.booleanValue()
        ? new OperatorOutcome.Kept(document, stats)
        : new OperatorOutcome.Dropped(stats);
  }

  private static OperatorOutcome withEvidence(
      LogicalOperator operator,
      OperatorOutcome outcome,
      AnswerClasses classes,
      String embedder,
      Embedding embedding,
      double seconds) {
    JsonNode answer =
        switch (outcome) {
          case OperatorOutcome.Kept kept when operator instanceof SemanticMap map ->
              kept.document().get(map.writes().getFirst().name());
          case OperatorOutcome.Kept _ -> classes.values().getFirst();
          case OperatorOutcome.Dropped _ -> classes.values().getLast();
          case OperatorOutcome.Failed _ -> null;
        };
    if (answer == null) {
      return outcome;
    }
    Evidence evidence = new Evidence.Embedded(embedder, encode(embedding), answer, false, seconds);
    return switch (outcome) {
      case OperatorOutcome.Kept kept ->
          new OperatorOutcome.Kept(kept.documents(), kept.stats(), evidence);
      case OperatorOutcome.Dropped dropped ->
          new OperatorOutcome.Dropped(dropped.stats(), evidence);
      case OperatorOutcome.Failed failed -> failed;
    };
  }

  private static String encode(Embedding embedding) {
    float[] values = embedding.toArray();
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  private static OperatorOutcome unusable(String message) {
    return new OperatorOutcome.Failed(
        new OperatorFailure.UnusablePlan(message), ExecutionStats.NONE);
  }
}

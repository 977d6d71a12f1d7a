package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Image;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.technique.CascadeExecutor.FeatureSource;
import dev.abacus.topology.operator.technique.CascadeExecutor.Features;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The embedding of the texts of an input. */
record EmbeddingFeatures(Embedder embedder) implements FeatureSource {

  /** Null without an embedder. */
  static @Nullable EmbeddingFeatures of(@Nullable Embedder embedder) {
    return embedder == null ? null : new EmbeddingFeatures(embedder);
  }

  @Override
  public Features of(SemanticCall<?> call, AnswerClasses classes) throws InterruptedException {
    String text = text(call.input());
    if (text.isEmpty()) {
      return Features.none("there is no text to embed", ExecutionStats.NONE);
    }
    EmbeddingAnswer answer = embedder.embed(List.of(text));
    ExecutionStats stats = ExecutionStats.ofEmbedding(answer);
    return switch (answer) {
      case EmbeddingAnswer.Failed failed ->
          Features.failed(
              new OperatorFailure.ModelFailed(embedder.name(), failed.failure()), stats);
      case EmbeddingAnswer.Success success ->
          Features.of(success.embeddings().getFirst().toArray(), stats);
    };
  }

  /** The texts of all fields, one per line. */
  static String text(Document input) {
    List<String> texts = new ArrayList<>();
    for (String name : input.fieldNames()) {
      JsonNode value = input.get(name);
      if (!value.isNull() && Image.of(value) == null) {
        texts.add(value.isTextual() ? value.textValue() : value.toString());
      }
    }
    return String.join("\n", texts).strip();
  }
}

package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.technique.CascadeExecutor.FeatureSource;
import java.util.ArrayList;
import java.util.List;

/** The embedding of the texts of an input. */
record EmbeddingFeatures(Embedder embedder) implements FeatureSource {

  @Override
  public float[] of(SemanticCall<?> call, AnswerClasses classes)
      throws InterruptedException, OperatorFailedException {
    String text = text(call.input());
    if (text.isEmpty()) {
      throw OperatorFailedException.unusableDocument("there is no text to embed");
    }
    return call.execution()
        .embeddings(embedder.name(), embedder.embed(List.of(text)))
        .getFirst()
        .toArray();
  }

  /** The texts of all fields, one per line. */
  static String text(Document input) {
    List<String> texts = new ArrayList<>();
    for (String name : input.fieldNames()) {
      JsonNode value = input.get(name);
      if (!value.isNull() && Media.of(value) == null) {
        texts.add(value.isTextual() ? value.textValue() : value.toString());
      }
    }
    return String.join("\n", texts).strip();
  }
}

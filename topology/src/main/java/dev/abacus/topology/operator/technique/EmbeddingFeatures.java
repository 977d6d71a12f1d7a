package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.technique.CascadeExecutor.FeatureSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The embedding of the texts of an input. */
public record EmbeddingFeatures(Embedder embedder) implements FeatureSource {

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

  /** The text that an operator reads of a document; null if there is none, or a file besides. */
  public static @Nullable String textAlone(LogicalOperator operator, Document document) {
    Document input = OperatorPrompt.input(operator, document);
    for (String field : input.fieldNames()) {
      if (Media.of(input.get(field)) != null) {
        return null;
      }
    }
    String text = text(input);
    return text.isEmpty() ? null : text;
  }
}

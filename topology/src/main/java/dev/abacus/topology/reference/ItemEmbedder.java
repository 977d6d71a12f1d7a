package dev.abacus.topology.reference;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.RequestHash;
import dev.abacus.topology.operator.join.EmbeddingInput;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Embeds items with a list of embedders. Reuses the vectors that the collection holds for the same
 * content.
 */
public record ItemEmbedder(
    Reference reference, ReferenceCollection collection, List<? extends Embedder> embedders) {

  public ItemEmbedder {
    embedders = List.copyOf(embedders);
  }

  /**
   * Embeds an item. The failures of embedders are part of the result. An item without content is
   * unusable.
   *
   * @param id the key of the item's record
   */
  public EmbeddedItem embed(String id, Document item) throws InterruptedException {
    EmbeddingInput content = content(item);
    if (content.isEmpty()) {
      return EmbeddedItem.unusable(
          reference.embed().isEmpty()
              ? "the item has no text to embed"
              : "the item has no field to embed: " + String.join(", ", reference.embed()));
    }
    String hash = hash(content);
    Map<String, float[]> known = collection.vectors(id, hash);
    Map<String, float[]> vectors = new HashMap<>();
    Map<String, String> failures = new HashMap<>();
    for (Embedder embedder : embedders) {
      float[] vector = known.get(embedder.name());
      if (vector != null) {
        vectors.put(embedder.name(), vector);
      } else {
        embed(embedder, content, vectors, failures);
      }
    }
    return new EmbeddedItem(hash, withKey(id, item).toBytes(), vectors, failures);
  }

  /**
   * What is embedded of an item: its {@code embed} fields, or all text fields if the reference
   * names none; the concatenation of the texts, or the image if there is no text.
   */
  private EmbeddingInput content(Document item) {
    List<String> fields =
        reference.embed().isEmpty()
            ? item.fieldNames().stream().filter(field -> item.get(field).isTextual()).toList()
            : reference.embed();
    return EmbeddingInput.of(item, fields).joined();
  }

  /** Identifies the content. */
  private static String hash(EmbeddingInput content) {
    StringBuilder parts = new StringBuilder();
    content.texts().forEach(text -> parts.append(text).append('\0'));
    content.files().forEach(file -> parts.append(file).append('\0'));
    return RequestHash.of(parts.toString());
  }

  private void embed(
      Embedder embedder,
      EmbeddingInput content,
      Map<String, float[]> vectors,
      Map<String, String> failures)
      throws InterruptedException {
    String name = embedder.name();
    EmbeddingAnswer answer =
        content.texts().isEmpty() ? embedder.refusedImages() : embedder.embed(content.texts());
    switch (answer) {
      case EmbeddingAnswer.Failed failed -> failures.put(name, failed.failure().message());
      case EmbeddingAnswer.Success success -> {
        float[] vector = success.embeddings().getFirst().toArray();
        Integer dimensions = collection.dimensions(name);
        if (dimensions == null || dimensions == vector.length) {
          vectors.put(name, vector);
        } else {
          failures.put(
              name,
              "a vector of %d dimensions, but the reference has %d"
                  .formatted(vector.length, dimensions));
        }
      }
    }
  }

  /** Adds the key field, by which labels identify items, if it is missing. */
  private Document withKey(String id, Document item) {
    return item.has(reference.key()) ? item : item.with(reference.key(), TextNode.valueOf(id));
  }
}

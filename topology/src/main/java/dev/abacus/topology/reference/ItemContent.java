package dev.abacus.topology.reference;

import com.fasterxml.jackson.databind.node.JsonNodeType;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.topology.model.RequestHash;
import dev.abacus.topology.operator.join.EmbeddingInput;
import java.util.List;

/**
 * The content of an item that is embedded: the concatenation of its texts, or its image if it has
 * no text.
 *
 * @param values one text, or only images; empty if the item has none of the fields
 */
record ItemContent(EmbeddingInput values) {

  /**
   * The content of the reference's {@code embed} fields, or of all text fields if it names none.
   */
  static ItemContent of(Reference reference, Document item) {
    List<String> fields =
        reference.embed().isEmpty()
            ? item.fieldNames().stream()
                .filter(field -> item.get(field).getNodeType() == JsonNodeType.STRING)
                .toList()
            : reference.embed();
    return new ItemContent(EmbeddingInput.of(item, fields).joined());
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  /** Identifies the content. */
  String hash() {
    StringBuilder content = new StringBuilder();
    values.texts().forEach(text -> content.append(text).append('\0'));
    values.images().forEach(image -> content.append(image).append('\0'));
    return RequestHash.of(content.toString());
  }
}

package dev.abacus.topology.reference;

import com.fasterxml.jackson.databind.node.JsonNodeType;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.operator.join.EmbeddingInput;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
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

  /** The SHA-256 of the content, which identifies it. */
  String hash() {
    MessageDigest digest = sha256();
    values.texts().forEach(text -> update(digest, text));
    for (Content image : values.images()) {
      update(digest, image.toString());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void update(MessageDigest digest, String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is missing", e);
    }
  }
}

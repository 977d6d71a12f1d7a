package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import java.util.Arrays;

/**
 * An item of a reference. Holds the document as bytes, which need a fraction of the memory of a
 * parsed tree.
 */
public final class ReferenceItem {

  private final String id;
  private final byte[] json;

  /**
   * An item.
   *
   * @param id the key of its record; unique in the reference
   * @param json a document as {@link Document#toBytes} writes it; not copied
   */
  public ReferenceItem(String id, byte[] json) {
    this.id = id;
    this.json = json;
  }

  public String id() {
    return id;
  }

  /** Parses the document. */
  public Document document() {
    try {
      return Document.parse(json);
    } catch (InvalidDocumentException e) {
      throw new IllegalStateException("item " + id + " is damaged", e);
    }
  }

  /** The key by which labels name an item: the value of its key field. */
  public static String key(JsonNode item, String keyField) {
    return item.path(keyField).asText();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReferenceItem that
        && id.equals(that.id)
        && Arrays.equals(json, that.json);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return "ReferenceItem[" + id + "]";
  }
}

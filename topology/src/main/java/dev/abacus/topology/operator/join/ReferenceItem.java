package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;

/**
 * An item of a reference. It is kept as bytes, which take a fraction of the memory of a tree, and
 * read when it is looked at.
 */
public final class ReferenceItem {

  private final String id;
  private final byte[] json;

  /**
   * An item.
   *
   * @param id the key of its record; unique in the reference
   * @param document what it says
   */
  public ReferenceItem(String id, Document document) {
    this(id, document.toBytes());
  }

  /**
   * An item as it was written.
   *
   * @param json a document as {@link Document#toBytes} writes it; not copied
   */
  public ReferenceItem(String id, byte[] json) {
    this.id = id;
    this.json = json;
  }

  public String id() {
    return id;
  }

  /** What it says. */
  public Document document() {
    try {
      return Document.parse(json);
    } catch (InvalidDocumentException e) {
      throw new IllegalStateException("item " + id + " is damaged", e);
    }
  }

  /** What labels call an item: the value of its key field. */
  public static String key(JsonNode item, String keyField) {
    return item.path(keyField).asText();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReferenceItem that
        && id.equals(that.id)
        && java.util.Arrays.equals(json, that.json);
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

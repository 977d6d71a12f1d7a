package dev.abacus.schemas.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import org.jspecify.annotations.Nullable;

/**
 * An example with its right answer, as prompts show it.
 *
 * @param id of the validation example
 * @param input the fields that the operator reads
 * @param label the right output of the operator, in the form of labels; for a pair of a join as
 *     {@link #ofPair} writes it
 */
public record SolvedExample(String id, Document input, JsonNode label) {

  private static final String ITEM = "item";
  private static final String RIGHT = "right";
  private static final String MATCH = "match";

  /**
   * A pair of a document and an item of a reference.
   *
   * @param input the fields of the document that the join reads
   * @param item key of the item
   * @param match whether the condition of the join holds for the pair
   */
  public static SolvedExample ofPair(String id, Document input, String item, boolean match) {
    return new SolvedExample(
        id, input, JsonNodeFactory.instance.objectNode().put(ITEM, item).put(MATCH, match));
  }

  /**
   * A pair of documents of two streams.
   *
   * @param left the fields of the left document that the join reads
   * @param match whether the condition of the join holds for the pair
   */
  public static SolvedExample ofPair(String id, Document left, Document right, boolean match) {
    ObjectNode label = JsonNodeFactory.instance.objectNode();
    label.set(RIGHT, right.toJson());
    return new SolvedExample(id, left, label.put(MATCH, match));
  }

  /** The right document of a pair; null if this is no pair of two streams. */
  public @Nullable Document right() {
    return label.path(RIGHT) instanceof ObjectNode right ? Document.of(right) : null;
  }

  /** The key of the item of a pair; empty if this is no pair with an item. */
  public String item() {
    return label.path(ITEM).asText();
  }

  /** Whether the pair matches. */
  public boolean matches() {
    return label.path(MATCH).asBoolean();
  }
}

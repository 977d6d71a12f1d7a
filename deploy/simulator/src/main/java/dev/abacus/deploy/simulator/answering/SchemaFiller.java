package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.prompt.FieldShape;
import dev.abacus.deploy.simulator.skill.KeyedRandom;

/**
 * Fills a schema with arbitrary valid values for unknown documents and fields. The same text gets
 * the same values.
 */
final class SchemaFiller {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int WORDS = 6;
  private static final int SPREAD = 10;

  private final String text;
  private final KeyedRandom base;

  /**
   * A filler for one document.
   *
   * @param text of the document; strings are filled with words of it
   */
  SchemaFiller(long seed, String text) {
    this.text = text;
    this.base = KeyedRandom.seeded(seed).with(text);
  }

  /** A value for the property with this name. */
  JsonNode fill(String name, FieldShape shape) {
    return fill(shape, base.with(name));
  }

  private JsonNode fill(FieldShape shape, KeyedRandom draw) {
    if (!shape.choices().isEmpty()) {
      return shape.choices().get(draw.below(shape.choices().size()));
    }
    return switch (shape.type()) {
      case STRING -> JSON.textNode(words(draw));
      case INTEGER -> JSON.numberNode((long) Math.floor(number(shape, draw, 1)));
      case NUMBER -> JSON.numberNode(Math.round(number(shape, draw, 0) * 100) / 100.0);
      case BOOLEAN -> JSON.booleanNode(draw.uniform() < 0.5);
      case ARRAY -> array(shape, draw);
      case OBJECT -> shape.object((name, part) -> fill(part, draw.with(name)));
    };
  }

  private static double number(FieldShape shape, KeyedRandom draw, int ends) {
    double low =
        Double.isInfinite(shape.minimum())
            ? Math.min(0, shape.maximum() - SPREAD)
            : shape.minimum();
    double high = Double.isInfinite(shape.maximum()) ? low + SPREAD : shape.maximum();
    return low + draw.uniform() * (high - low + ends);
  }

  private ArrayNode array(FieldShape shape, KeyedRandom draw) {
    ArrayNode array = JSON.arrayNode();
    int size = 1 + draw.below(2);
    for (int i = 0; i < size; i++) {
      FieldShape items = shape.items();
      array.add(items == null ? JSON.textNode(words(draw.with(i))) : fill(items, draw.with(i)));
    }
    return array;
  }

  /** Consecutive words of the document. */
  private String words(KeyedRandom draw) {
    int from = text.indexOf(' ', draw.below(Math.max(1, text.length() - 30))) + 1;
    int to = from;
    for (int i = 0; i < WORDS && to >= 0; i++) {
      to = text.indexOf(' ', to + 1);
    }
    String words = text.substring(from, to < 0 ? text.length() : to).strip();
    return words.length() > 120 ? words.substring(0, 120) : words;
  }
}

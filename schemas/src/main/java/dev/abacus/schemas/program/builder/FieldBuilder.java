package dev.abacus.schemas.program.builder;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A field that an operator writes: a name, a type and how the type is restricted. A restriction
 * that the type does not have is a mistake, which {@link ProgramBuilder#build} reports.
 */
public final class FieldBuilder {

  private final String name;
  private final ObjectNode node;

  private FieldBuilder(String name, String type) {
    this.name = name;
    this.node = JsonNodeFactory.instance.objectNode().put("type", type);
  }

  /** A text. */
  public static FieldBuilder string(String name) {
    return new FieldBuilder(name, "string");
  }

  public static FieldBuilder integer(String name) {
    return new FieldBuilder(name, "integer");
  }

  public static FieldBuilder number(String name) {
    return new FieldBuilder(name, "number");
  }

  /** True or false. */
  public static FieldBuilder bool(String name) {
    return new FieldBuilder(name, "boolean");
  }

  /** A list of texts. */
  public static FieldBuilder list(String name) {
    return new FieldBuilder(name, "list");
  }

  /**
   * A list of values of one type.
   *
   * @param items the type of the values; its name, description and {@link #nullable} do not count
   */
  public static FieldBuilder list(String name, FieldBuilder items) {
    FieldBuilder list = list(name);
    ObjectNode type = items.node.deepCopy();
    type.remove(List.of("description", "nullable"));
    list.node.set("items", type);
    return list;
  }

  /** An object with these properties. */
  public static FieldBuilder object(String name, FieldBuilder... properties) {
    FieldBuilder object = new FieldBuilder(name, "object");
    object.node.set("properties", mapping(properties));
    return object;
  }

  /** Restricts a text to these values. */
  public FieldBuilder oneOf(String... values) {
    node.set("enum", OperatorBuilder.texts(values));
    return this;
  }

  /** Sets the least value of an integer or a number, inclusive. */
  public FieldBuilder atLeast(long minimum) {
    node.put("minimum", minimum);
    return this;
  }

  /** Sets the least value of a number, inclusive. */
  public FieldBuilder atLeast(double minimum) {
    node.put("minimum", minimum);
    return this;
  }

  /** Sets the greatest value of an integer or a number, inclusive. */
  public FieldBuilder atMost(long maximum) {
    node.put("maximum", maximum);
    return this;
  }

  /** Sets the greatest value of a number, inclusive. */
  public FieldBuilder atMost(double maximum) {
    node.put("maximum", maximum);
    return this;
  }

  /** Sets the meaning of the field, which prompts contain. */
  public FieldBuilder description(String description) {
    node.put("description", description);
    return this;
  }

  /** Allows null as an answer: the document does not state the value. */
  public FieldBuilder nullable() {
    node.put("nullable", true);
    return this;
  }

  /** {@code {name: {type: …}, …}}. */
  static ObjectNode mapping(FieldBuilder... fields) {
    ObjectNode mapping = JsonNodeFactory.instance.objectNode();
    for (FieldBuilder field : fields) {
      if (mapping.has(field.name)) {
        throw new IllegalArgumentException("two fields have the name '" + field.name + "'");
      }
      mapping.set(field.name, field.node);
    }
    return mapping;
  }
}

package dev.abacus.schemas.avro;

import org.jspecify.annotations.Nullable;

/** The path from the root of a document to a value; rendered lazily for error messages. */
record JsonPath(@Nullable JsonPath parent, Object step) {

  static final JsonPath ROOT = new JsonPath(null, "$");

  JsonPath field(String name) {
    return new JsonPath(this, name);
  }

  JsonPath index(int index) {
    return new JsonPath(this, index);
  }

  @Override
  public String toString() {
    if (parent == null) {
      return step.toString();
    }
    return step instanceof Integer ? parent + "[" + step + "]" : parent + "." + step;
  }
}

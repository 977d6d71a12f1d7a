package dev.abacus.schemas.avro;

import org.jspecify.annotations.Nullable;

/** The way from a document's root to a value; rendered only when an error needs it. */
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

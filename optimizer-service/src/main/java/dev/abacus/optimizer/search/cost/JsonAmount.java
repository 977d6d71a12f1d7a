package dev.abacus.optimizer.search.cost;

import com.fasterxml.jackson.databind.JsonNode;

/** Amounts of estimates and priors as users write them in JSON. */
public final class JsonAmount {

  private JsonAmount() {}

  /**
   * The amount under a key.
   *
   * @param at where the object stands, for messages
   * @throws IllegalArgumentException if it is missing, no finite number, or negative
   */
  public static double of(String at, JsonNode object, String key) {
    JsonNode value = object.path(key);
    if (value.isMissingNode()) {
      throw wrong(at + "." + key, "is missing");
    }
    double amount = value.asDouble();
    if (!value.isNumber() || !Double.isFinite(amount)) {
      throw wrong(at + "." + key, "is " + value + "; it must be a number");
    }
    if (amount < 0) {
      throw wrong(at + "." + key, "is " + value + "; it must not be negative");
    }
    return amount;
  }

  /** What is wrong with the value of a key. */
  public static IllegalArgumentException wrong(String key, String reason) {
    return new IllegalArgumentException("'" + key + "' " + reason);
  }
}

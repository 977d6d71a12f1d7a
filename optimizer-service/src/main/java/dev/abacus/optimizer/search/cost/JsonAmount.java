package dev.abacus.optimizer.search.cost;

import com.fasterxml.jackson.databind.JsonNode;

/** Reads the amounts in estimates and priors that users write in JSON. */
public final class JsonAmount {

  private JsonAmount() {}

  /**
   * The amount under a key.
   *
   * @param at path of the object, for messages
   * @throws IllegalArgumentException if it is missing, not a finite number, or negative
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

  /** An exception that names the key and the reason. */
  public static IllegalArgumentException wrong(String key, String reason) {
    return new IllegalArgumentException("'" + key + "' " + reason);
  }
}

package dev.abacus.optimizer.search.cost;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** Reads what estimates and priors that users write in JSON have in common. */
public final class JsonAmount {

  private JsonAmount() {}

  /**
   * Requires an object without other keys.
   *
   * @param at path of the object, for messages
   * @param what the object is, for messages
   * @throws IllegalArgumentException if it is another value, or has another key
   */
  public static void requireKeys(String at, JsonNode object, Set<String> keys, String what) {
    if (!object.isObject()) {
      throw wrong(at, "must be an object");
    }
    object
        .fieldNames()
        .forEachRemaining(key -> {
          if (!keys.contains(key)) {
            throw wrong(at + "." + key, "is no key of " + what);
          }
        });
  }

  /**
   * The estimate of an implementation; selectivity is 1 if it is not given.
   *
   * @param decides whether an input has at most one output
   * @throws IllegalArgumentException if an amount is missing or out of its range
   */
  public static OperatorEstimate estimate(String at, JsonNode object, boolean decides) {
    double selectivity = object.has("selectivity") ? of(at, object, "selectivity") : 1;
    double quality = of(at, object, "quality");
    requireAtMostOne(at + ".quality", quality);
    if (decides) {
      requireAtMostOne(at + ".selectivity", selectivity);
    }
    return new OperatorEstimate(
        quality, of(at, object, "cost"), of(at, object, "latency"), selectivity);
  }

  private static void requireAtMostOne(String key, double value) {
    if (value > 1) {
      throw wrong(key, "is " + value + "; it must be at most 1");
    }
  }

  /** The amount under a key: a finite number that is not negative. */
  private static double of(String at, JsonNode object, String key) {
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

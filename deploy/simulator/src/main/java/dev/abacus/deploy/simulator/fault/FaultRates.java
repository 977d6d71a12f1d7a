package dev.abacus.deploy.simulator.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Probability of each fault per call, in [0, 1].
 *
 * @param all rates of all models
 * @param perModel rates of single models, which replace the rates of all
 */
public record FaultRates(Map<FaultKind, Double> all, Map<String, Map<FaultKind, Double>> perModel) {

  /** No faults. */
  public static final FaultRates NONE = new FaultRates(Map.of(), Map.of());

  public FaultRates {
    all = checked(all);
    Map<String, Map<FaultKind, Double>> copy = new HashMap<>();
    perModel.forEach((model, rates) -> copy.put(model, checked(rates)));
    perModel = Map.copyOf(copy);
  }

  private static Map<FaultKind, Double> checked(Map<FaultKind, Double> rates) {
    Map<FaultKind, Double> copy = new EnumMap<>(FaultKind.class);
    double sum = 0;
    for (Map.Entry<FaultKind, Double> rate : rates.entrySet()) {
      if (!(rate.getValue() >= 0 && rate.getValue() <= 1)) {
        throw new IllegalArgumentException(
            "fault rate " + rate.getKey().key() + " must be from 0 to 1");
      }
      sum += rate.getValue();
      copy.put(rate.getKey(), rate.getValue());
    }
    if (sum > 1 + 1e-9) {
      throw new IllegalArgumentException("fault rates add up to more than 1");
    }
    return Collections.unmodifiableMap(copy);
  }

  /**
   * Reads {@code 429=0.05,500=0.01,gpt-4o:500=1}, the form of the command line.
   *
   * @throws IllegalArgumentException if the text does not have that form
   */
  public static FaultRates parse(String text) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    for (String part : text.isBlank() ? new String[0] : text.split(",", -1)) {
      int equals = part.indexOf('=');
      int colon = part.lastIndexOf(':', Math.max(equals, 0));
      if (equals < 0) {
        throw new IllegalArgumentException(
            "fault rate '" + part + "' is not of the form kind=rate");
      }
      ObjectNode target =
          colon < 0 ? json : json.withObjectProperty(part.substring(0, colon).strip());
      String kind = part.substring(colon + 1, equals).strip();
      try {
        target.put(kind, Double.parseDouble(part.substring(equals + 1).strip()));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("fault rate '" + part + "' is not a number", e);
      }
    }
    return of(json);
  }

  /**
   * Reads {@code {"429": 0.05, "gpt-4o": {"500": 1.0}}}.
   *
   * @throws IllegalArgumentException if a key is not a fault, or a value is not a rate
   */
  public static FaultRates of(JsonNode json) {
    if (!json.isObject()) {
      throw new IllegalArgumentException("fault rates must be a JSON object");
    }
    Map<FaultKind, Double> all = new EnumMap<>(FaultKind.class);
    Map<String, Map<FaultKind, Double>> perModel = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      if (entry.getValue().isObject()) {
        Map<FaultKind, Double> rates = new EnumMap<>(FaultKind.class);
        entry.getValue().properties().forEach(rate -> put(rates, rate));
        perModel.put(entry.getKey(), rates);
      } else {
        put(all, entry);
      }
    }
    return new FaultRates(all, perModel);
  }

  private static void put(Map<FaultKind, Double> rates, Map.Entry<String, JsonNode> rate) {
    FaultKind kind = FaultKind.of(rate.getKey());
    if (kind == null || !rate.getValue().isNumber()) {
      throw new IllegalArgumentException(
          "'%s' is not a fault with a rate; faults are %s"
              .formatted(
                  rate.getKey(),
                  Arrays.stream(FaultKind.values())
                      .map(FaultKind::key)
                      .collect(Collectors.joining(", "))));
    }
    rates.put(kind, rate.getValue().doubleValue());
  }

  /** The JSON that {@link #of} reads. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    all.forEach((kind, rate) -> json.put(kind.key(), rate));
    perModel.forEach((model, rates) -> {
      ObjectNode own = json.putObject(model);
      rates.forEach((kind, rate) -> own.put(kind.key(), rate));
    });
    return json;
  }

  /** The rates of a model. */
  public Map<FaultKind, Double> of(String model) {
    return perModel.getOrDefault(model, all);
  }
}

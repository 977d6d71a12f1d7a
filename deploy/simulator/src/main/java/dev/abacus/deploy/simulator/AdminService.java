package dev.abacus.deploy.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.deploy.simulator.fault.Outage;
import dev.abacus.deploy.simulator.wire.ApiException;
import java.util.Set;
import java.util.TreeSet;

/**
 * The simulator's own paths under {@code /simulator}, which read and change the state of the
 * endpoint. No provider has them.
 */
record AdminService(EndpointState state, CallStatistics statistics) {

  /**
   * Answers a request.
   *
   * @param json the body; empty for GET
   * @throws ApiException if the path or the body is unknown
   */
  ObjectNode answer(String method, String path, JsonNode json) {
    try {
      return switch (method + " " + path) {
        case "GET /simulator/stats" -> counters();
        case "GET /simulator/faults" -> state.options().faults().toJson();
        case "POST /simulator/faults" -> {
          FaultRates rates = FaultRates.of(json);
          state.change(options -> options.withFaults(rates));
          yield rates.toJson();
        }
        case "GET /simulator/limits" -> state.limiter().limit().toJson();
        case "POST /simulator/limits" -> {
          state.limiter().change(state.limiter().limit().with(json));
          yield state.limiter().limit().toJson();
        }
        case "POST /simulator/key" -> changeKey(json);
        case "GET /simulator/models" -> models();
        case "POST /simulator/models" -> changeModels(json);
        case "GET /simulator/quota" -> quota();
        case "POST /simulator/quota" -> changeQuota(json);
        case "POST /simulator/outage" -> startOutage(json);
        case "POST /simulator/filter" -> changeFilter(json);
        default -> throw ApiException.unknownAddress(404, method, path);
      };
    } catch (IllegalArgumentException e) {
      throw ApiException.invalid(String.valueOf(e.getMessage()), null, null);
    }
  }

  /** Counters since the start. */
  ObjectNode counters() {
    ObjectNode json = statistics.toJson();
    json.put("usd", state.account().spentUsd());
    return json;
  }

  private ObjectNode changeKey(JsonNode json) {
    String key = json.path("key").textValue();
    state.change(options -> options.withApiKey(key));
    return JsonNodeFactory.instance.objectNode().put("required", key != null);
  }

  private ObjectNode models() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode names = json.putArray("models");
    new TreeSet<>(state.models()).forEach(names::add);
    return json;
  }

  private ObjectNode changeModels(JsonNode json) {
    Set<String> names = new TreeSet<>(json.has("models") ? Set.of() : state.models());
    json.path("models").forEach(name -> names.add(name.asText()));
    json.path("add").forEach(name -> names.add(name.asText()));
    json.path("remove").forEach(name -> names.remove(name.asText()));
    state.change(options -> options.withModels(names));
    return models();
  }

  private ObjectNode quota() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    return json.put("usd", state.account().balanceUsd()).put("spent", state.account().spentUsd());
  }

  private ObjectNode changeQuota(JsonNode json) {
    if (json.path("add").isNumber()) {
      state.account().topUp(json.path("add").doubleValue());
    } else {
      JsonNode balance = json.path("usd");
      state.account().setBalance(balance.isNumber() ? balance.doubleValue() : null);
    }
    return quota();
  }

  private ObjectNode startOutage(JsonNode json) {
    Set<String> models = new TreeSet<>();
    json.path("models").forEach(name -> models.add(name.asText()));
    state.changeOutage(
        new Outage(json.path("status").asInt(503), json.path("calls").asInt(0), models));
    return JsonNodeFactory.instance.objectNode().put("calls", state.outage().left());
  }

  private ObjectNode changeFilter(JsonNode json) {
    String text = json.path("text").textValue();
    state.change(options -> options.withFiltered(text));
    return JsonNodeFactory.instance.objectNode().put("filtered", text);
  }
}

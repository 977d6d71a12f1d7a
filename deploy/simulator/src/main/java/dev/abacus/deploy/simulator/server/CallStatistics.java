package dev.abacus.deploy.simulator.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.fault.FaultKind;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the endpoint has done since it started. Calls are counted when they arrive, whatever becomes
 * of them.
 */
final class CallStatistics {

  private static final class OfModel {
    final LongAdder calls = new LongAdder();
    final LongAdder promptTokens = new LongAdder();
    final LongAdder cachedTokens = new LongAdder();
    final LongAdder completionTokens = new LongAdder();
  }

  private final Map<String, OfModel> models = new ConcurrentSkipListMap<>();
  private final Map<FaultKind, LongAdder> faults = new ConcurrentHashMap<>();
  private final HashCounts bodies = new HashCounts();
  private final LongAdder calls = new LongAdder();
  private final LongAdder repeated = new LongAdder();
  private final LongAdder refused = new LongAdder();

  /** A call with a body of that hash has arrived. */
  void arrived(long body) {
    calls.increment();
    if (bodies.add(body) > 0) {
      repeated.increment();
    }
  }

  /** A call of a known model. */
  void called(String model) {
    of(model).calls.increment();
  }

  /** A call was answered. */
  void answered(String model, int prompt, int cached, int completion) {
    OfModel one = of(model);
    one.promptTokens.add(prompt);
    one.cachedTokens.add(cached);
    one.completionTokens.add(completion);
  }

  /** A call was given a fault. */
  void faulted(FaultKind kind) {
    faults.computeIfAbsent(kind, key -> new LongAdder()).increment();
  }

  /** A call was refused for what it asks. */
  void refused() {
    refused.increment();
  }

  private OfModel of(String model) {
    return models.computeIfAbsent(model, key -> new OfModel());
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("simulated", true).put("calls", calls.sum());
    // Read before the calls go on: distinct and repeated always add up to calls when the endpoint
    // is idle.
    json.put("distinctRequests", calls.sum() - repeated.sum());
    json.put("repeatedRequests", repeated.sum()).put("refused", refused.sum());
    ObjectNode perModel = json.putObject("models");
    models.forEach((name, one) ->
        perModel
            .putObject(name)
            .put("calls", one.calls.sum())
            .put("promptTokens", one.promptTokens.sum())
            .put("cachedTokens", one.cachedTokens.sum())
            .put("completionTokens", one.completionTokens.sum()));
    ObjectNode given = json.putObject("faults");
    for (FaultKind kind : FaultKind.values()) {
      LongAdder count = faults.get(kind);
      given.put(kind.key(), count == null ? 0 : count.sum());
    }
    return json;
  }
}

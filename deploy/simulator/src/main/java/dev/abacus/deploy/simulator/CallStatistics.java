package dev.abacus.deploy.simulator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.fault.FaultKind;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters since the start of the endpoint. A call counts when it arrives, regardless of its
 * outcome.
 */
final class CallStatistics {

  private static final class OfModel {
    final LongAdder calls = new LongAdder();
    final LongAdder promptTokens = new LongAdder();
    final LongAdder cachedTokens = new LongAdder();
    final LongAdder completionTokens = new LongAdder();
    final LongAdder limited = new LongAdder();
  }

  private final Map<String, OfModel> models = new ConcurrentSkipListMap<>();
  private final Map<FaultKind, LongAdder> faults = new ConcurrentHashMap<>();

  /** Calls by the hash of their body. */
  private final Map<Long, Integer> bodies = new ConcurrentHashMap<>();

  private final LongAdder calls = new LongAdder();
  private final LongAdder repeated = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final Map<Integer, LongAdder> refusedByStatus = new ConcurrentSkipListMap<>();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger mostInFlight = new AtomicInteger();

  /** Counts a call whose body has this hash. */
  void arrived(long body) {
    calls.increment();
    if (bodies.merge(body, 1, Integer::sum) > 1) {
      repeated.increment();
    }
  }

  /** Counts a call of a known model. */
  void called(String model) {
    of(model).calls.increment();
  }

  /** Counts the tokens of an answered call. */
  void answered(String model, int prompt, int cached, int completion) {
    OfModel one = of(model);
    one.promptTokens.add(prompt);
    one.cachedTokens.add(cached);
    one.completionTokens.add(completion);
  }

  /** Counts an injected fault. */
  void faulted(FaultKind kind) {
    faults.computeIfAbsent(kind, key -> new LongAdder()).increment();
  }

  /** Counts a call that exceeds a limit per minute. */
  void limited(String model) {
    of(model).limited.increment();
  }

  /** Counts a refused request. */
  void refused(int status) {
    refused.increment();
    refusedByStatus.computeIfAbsent(status, _ -> new LongAdder()).increment();
  }

  /** Counts a model call in flight until {@link #ended}, when its reply is ready. */
  void began() {
    mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
  }

  void ended() {
    inFlight.decrementAndGet();
  }

  private OfModel of(String model) {
    return models.computeIfAbsent(model, key -> new OfModel());
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("simulated", true).put("calls", calls.sum());
    // Distinct and repeated requests add up to calls while the endpoint is idle.
    json.put("distinctRequests", calls.sum() - repeated.sum());
    json.put("repeatedRequests", repeated.sum()).put("refused", refused.sum());
    ObjectNode statuses = json.putObject("refusedByStatus");
    refusedByStatus.forEach((status, count) -> statuses.put(String.valueOf(status), count.sum()));
    json.put("inFlight", inFlight.get()).put("mostInFlight", mostInFlight.get());
    ObjectNode perModel = json.putObject("models");
    models.forEach((name, one) ->
        perModel
            .putObject(name)
            .put("calls", one.calls.sum())
            .put("limited", one.limited.sum())
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

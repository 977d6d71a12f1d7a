package dev.abacus.topology.model.admission;

import static java.util.stream.Collectors.groupingBy;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.control.InstanceStatus.ModelDemand;
import dev.abacus.schemas.control.InstanceStatus.ModelHealth;
import dev.abacus.schemas.control.ModelWait;
import dev.abacus.topology.model.CallOutcome;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.Futures;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.RateLimits;
import dev.abacus.topology.model.RetryPolicy;
import dev.abacus.topology.model.WaitListener;
import dev.abacus.topology.model.admission.ModelGate.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a call of a model may start, and repeats calls that fail because of the {@linkplain
 * ModelFailure#isProviderFault() provider}. A document's call waits until its model answers: it
 * never returns a fault of the provider. A call of a sample returns it after its {@linkplain
 * Caller#patience() patience}. A call that fails again and again while others are answered is given
 * up with a failure of its own ({@link LoneFailure}).
 *
 * <p>An attempt that ends in a fault of the provider adds its cost, if it was charged, to the
 * outcome, but neither latency nor an attempt; waiting adds nothing. So the latency of an
 * implementation is that of its model and not of a rate limit or an outage.
 *
 * <p>One instance serves all programs of a process. An interrupt ends a wait at once, and {@link
 * #close} ends all waits.
 */
public final class AdmissionController implements AutoCloseable {

  /**
   * What a user configures.
   *
   * @param retired models that are never called: their calls fail at once
   * @param limitsOfKey limits of each key at its endpoint, over all models and instances
   * @param limitsOfModels by model, in addition to those of the model's card
   */
  public record Settings(
      Set<String> retired, CallLimits limitsOfKey, Map<String, CallLimits> limitsOfModels) {

    /** No retired models and no limits. */
    public static final Settings NONE = new Settings(Set.of(), CallLimits.NONE, Map.of());

    public Settings {
      retired = Set.copyOf(retired);
      limitsOfModels = Map.copyOf(limitsOfModels);
    }
  }

  private final ModelCatalogue catalogue;
  private final AdmissionTimer timer;
  private final RandomGenerator random;
  private final Settings settings;
  private final Map<String, ModelGate> gates = new ConcurrentSkipListMap<>();
  private final Map<String, RateLimiter> keys = new ConcurrentHashMap<>();

  /** When this instance became saturated, by model or account. */
  private final Map<String, Instant> saturatedSince = new ConcurrentHashMap<>();

  /**
   * A controller for the models of a catalogue.
   *
   * @param random source of the jitter; thread-safe
   */
  public AdmissionController(
      ModelCatalogue catalogue, Settings settings, AdmissionTimer timer, RandomGenerator random) {
    this.catalogue = catalogue;
    this.settings = settings;
    this.timer = timer;
    this.random = random;
  }

  /** A client that calls models for a caller when they may be called. */
  public ModelClient around(ModelClient next, Caller caller) {
    return request ->
        call(
            new Call(request.model(), TokenEstimate.characters(request), caller),
            () -> next.call(request),
            ModelAnswer.Failed::withoutCall);
  }

  /** An embedder that is called for a caller when it may be called. */
  public Embedder around(Embedder next, Caller caller) {
    return Embedder.of(
        next.name(),
        texts ->
            call(
                new Call(next.name(), TokenEstimate.characters(texts), caller),
                () -> next.embed(texts),
                EmbeddingAnswer.Failed::withoutCall));
  }

  /** A call, whatever its attempts. */
  private record Call(String model, long characters, Caller caller) {}

  private <T extends CallOutcome<T>> T call(
      Call call, CallOutcome.Attempt<T> attempt, Function<ModelFailure, T> failed)
      throws InterruptedException {
    String model = call.model();
    if (settings.retired().contains(model)
        || settings.retired().contains(ServiceTier.standard(model))) {
      return failed.apply(
          new ModelFailure.UnknownModel("model '" + model + "' is retired by a setting"));
    }
    ModelGate gate = gates.computeIfAbsent(model, this::open);
    Instant start = timer.instant();
    Instant notBefore = start;
    ModelFailure last = null;
    ExecutionStats charged = ExecutionStats.NONE;
    int faults = 0;
    LoneFailure lone = new LoneFailure(gate.tally());
    while (true) {
      switch (await(
          gate, new WaitQueue.Waiter(call.caller(), call.characters(), start, notBefore, last))) {
        case Decision.GivenUp(ModelFailure cause) -> {
          return failed.apply(cause).after(charged);
        }
        case Decision.Admitted admitted -> {
          T outcome = attempt(call, gate, admitted, attempt);
          last = outcome.failure();
          if (last == null || !last.isProviderFault() || isImpatient(call.caller(), start)) {
            return outcome.after(charged);
          }
          charged = charged.plus(outcome.stats().withLatency(0).withCalls(0));
          if (CircuitBreaker.isTransient(last) && lone.failed(gate.tally())) {
            return failed.apply(lone.failure(last)).after(charged);
          }
          notBefore = timer.instant().plus(pause(++faults, last, random));
        }
      }
    }
  }

  private <T extends CallOutcome<T>> T attempt(
      Call call, ModelGate gate, Decision.Admitted admitted, CallOutcome.Attempt<T> attempt)
      throws InterruptedException {
    T outcome;
    try {
      outcome = attempt.run();
    } catch (InterruptedException | RuntimeException | Error e) {
      gate.abandoned(admitted);
      throw e;
    }
    ModelFailure failure = outcome.failure();
    ModelFailure fault = failure != null && failure.isProviderFault() ? failure : null;
    if (gate.finished(admitted, call.characters(), fault, outcome.tokens())) {
      informAccount(call.model(), fault);
    }
    return outcome;
  }

  private ModelGate open(String model) {
    CallLimits limits = settings.limitsOfModels().getOrDefault(model, CallLimits.NONE);
    ModelCard card = catalogue.find(model);
    if (card != null) {
      limits = limits.and(new CallLimits(card.requestsPerMinute(), card.tokensPerMinute()));
    }
    boolean inProcess = card != null && card.isInProcess();
    RateLimiter key =
        settings.limitsOfKey().equals(CallLimits.NONE) || inProcess
            ? null
            : keys.computeIfAbsent(
                account(model), _ -> new RateLimiter(settings.limitsOfKey(), false));
    return new ModelGate(model, inProcess, limits, key, timer);
  }

  /** Takes in the limits that a response for a model states. */
  public void reported(ModelCard card, RateLimits limits) {
    ModelGate gate = gates.get(card.name());
    if (gate != null) {
      gate.change((capacity, now) -> capacity.reported(limits, now));
    }
  }

  /** Waits until the call may start. */
  private static Decision await(ModelGate gate, WaitQueue.Waiter waiter)
      throws InterruptedException {
    gate.enter(waiter);
    if (waiter.decision().isDone()) {
      return result(waiter);
    }
    WaitListener listener = WaitListener.current();
    listener.waiting();
    try {
      return result(waiter);
    } catch (InterruptedException e) {
      gate.leave(waiter);
      throw e;
    } finally {
      listener.resumed();
    }
  }

  private static Decision result(WaitQueue.Waiter waiter) throws InterruptedException {
    try {
      return Futures.result(waiter.decision());
    } catch (CancellationException e) {
      throw (InterruptedException)
          new InterruptedException("the admission controller is closed").initCause(e);
    }
  }

  private boolean isImpatient(Caller caller, Instant start) {
    Duration patience = caller.patience();
    return patience != null && !start.plus(patience).isAfter(timer.instant());
  }

  /** The pause of a call after a fault that did not open the circuit. */
  static Duration pause(int faults, ModelFailure fault, RandomGenerator random) {
    return CircuitBreaker.isTransient(fault) || fault instanceof ModelFailure.RateLimited
        ? RetryPolicy.DEFAULT.pause(faults, fault, random)
        : Duration.ZERO;
  }

  /** Lets the models with the same key or account find out whether they have the same problem. */
  private void informAccount(String model, @Nullable ModelFailure fault) {
    String account = account(model);
    gates.forEach((other, gate) -> {
      if (!other.equals(model) && account(other).equals(account)) {
        gate.change((capacity, now) -> capacity.accountChanged(fault, now));
      }
    });
  }

  private String account(String model) {
    ModelCard card = catalogue.find(model);
    if (card == null) {
      return "";
    }
    return card.isInProcess() ? card.name() : card.endpoint() + " " + card.keyVariable();
  }

  /** What the calls of a program wait for, by model; empty if none waits. */
  public List<ModelWait> waits(String program) {
    return gates.values().stream()
        .map(gate -> gate.wait(program))
        .filter(Objects::nonNull)
        .toList();
  }

  /** What this instance demands of each model that it called in the last minute. */
  public List<ModelDemand> demands() {
    return gates.values().stream().map(ModelGate::demand).filter(Objects::nonNull).toList();
  }

  /**
   * Divides the limits among the instances of the cluster.
   *
   * @param byInstance demands of the other live instances
   * @param notice time after which the others know the demand of this instance
   */
  public void share(Map<String, List<ModelDemand>> byInstance, Duration notice) {
    Map<String, List<ModelDemand>> others =
        byInstance.values().stream().flatMap(List::stream).collect(groupingBy(ModelDemand::model));
    Map<String, List<ModelDemand>> othersOfKeys =
        byInstance.values().stream()
            .flatMap(demands -> ofAccounts(demands).stream())
            .collect(groupingBy(ModelDemand::model));
    Instant now = timer.instant();
    List<ModelDemand> own = demands();
    for (ModelDemand demand : own) {
      ModelGate gate = gates.get(demand.model());
      if (gate != null) {
        double part = part(demand, others.getOrDefault(demand.model(), List.of()), notice, now);
        gate.change((capacity, at) -> capacity.share(part, at));
      }
    }
    for (ModelDemand demand : ofAccounts(own)) {
      RateLimiter key = keys.get(demand.model());
      if (key != null) {
        List<ModelDemand> ofKey = othersOfKeys.getOrDefault(demand.model(), List.of());
        key.share(part(demand, ofKey, notice, now), now);
      }
    }
  }

  private double part(ModelDemand own, List<ModelDemand> others, Duration notice, Instant now) {
    if (!DemandShare.isSaturated(own)) {
      saturatedSince.remove(own.model());
      return DemandShare.of(own, others, false);
    }
    Instant since = saturatedSince.computeIfAbsent(own.model(), _ -> now);
    return DemandShare.of(own, others, !since.plus(notice).isAfter(now));
  }

  /** The demand of each account over its models, under the name of the account. */
  private Collection<ModelDemand> ofAccounts(List<ModelDemand> demands) {
    Map<String, ModelDemand> byAccount = new HashMap<>();
    for (ModelDemand demand : demands) {
      String account = account(demand.model());
      byAccount.merge(
          account,
          new ModelDemand(account, demand.callsPerMinute(), demand.waiting()),
          (one, other) ->
              new ModelDemand(
                  account,
                  one.callsPerMinute() + other.callsPerMinute(),
                  one.waiting() + other.waiting()));
    }
    return byAccount.values();
  }

  /** How each model answers that was called, by name. */
  public List<ModelHealth> health() {
    return gates.values().stream().map(ModelGate::health).toList();
  }

  /** Lets every open circuit admit its next probe at once. */
  public void probeNow() {
    gates.values().forEach(gate -> gate.change(ModelCapacity::probeNow));
  }

  /** Ends all waits: the waiting calls throw {@link InterruptedException}. */
  @Override
  public void close() {
    gates.values().forEach(ModelGate::close);
    timer.close();
  }
}

package dev.abacus.topology.model.admission;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.InstanceStatus.ModelWait;
import dev.abacus.topology.model.CallOutcome;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.RetryPolicy;
import dev.abacus.topology.model.WaitListener;
import dev.abacus.topology.model.admission.ModelGate.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Decides when a call of a model may start, and repeats calls that fail because of the {@linkplain
 * ModelFailure#isProviderFault() provider}. A document's call waits until its model answers: it
 * never returns a fault of the provider. A call of a sample returns it after its {@linkplain
 * Caller#patience() patience}.
 *
 * <p>An attempt that ends in a fault of the provider adds its cost, if it was charged, to the
 * outcome, but neither latency nor an attempt; waiting adds nothing. So the latency of an
 * implementation is that of its model and not of a rate limit or an outage.
 *
 * <p>One instance serves all programs of a process. An interrupt ends a wait at once, and {@link
 * #close} ends all waits.
 */
public final class AdmissionController implements AutoCloseable {

  private final ModelCatalogue catalogue;
  private final AdmissionTimer timer;
  private final RandomGenerator random;
  private final Set<String> retired;
  private final Map<String, ModelGate> gates = new ConcurrentSkipListMap<>();

  /**
   * A controller for the models of a catalogue.
   *
   * @param retired models that are never called: their calls fail at once
   * @param random source of the jitter; thread-safe
   */
  public AdmissionController(
      ModelCatalogue catalogue, Set<String> retired, AdmissionTimer timer, RandomGenerator random) {
    this.catalogue = catalogue;
    this.retired = Set.copyOf(retired);
    this.timer = timer;
    this.random = random;
  }

  /** A client that calls models for a caller when they may be called. */
  public ModelClient around(ModelClient next, Caller caller) {
    return request ->
        call(request.model(), caller, () -> next.call(request), ModelAnswer.Failed::withoutCall);
  }

  /** An embedder that is called for a caller when it may be called. */
  public Embedder around(Embedder next, Caller caller) {
    return new Embedder() {
      @Override
      public String name() {
        return next.name();
      }

      @Override
      public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
        return admitted(() -> next.embed(texts));
      }

      @Override
      public EmbeddingAnswer embedImages(List<Content> images) throws InterruptedException {
        return admitted(() -> next.embedImages(images));
      }

      private EmbeddingAnswer admitted(Attempt<EmbeddingAnswer> attempt)
          throws InterruptedException {
        return call(name(), caller, attempt, EmbeddingAnswer.Failed::withoutCall);
      }
    };
  }

  /** One attempt. */
  @FunctionalInterface
  private interface Attempt<T> {
    T run() throws InterruptedException;
  }

  private <T extends CallOutcome<T>> T call(
      String model, Caller caller, Attempt<T> attempt, Function<ModelFailure, T> failed)
      throws InterruptedException {
    if (retired.contains(model)) {
      return failed.apply(
          new ModelFailure.UnknownModel("model '" + model + "' is retired by a setting"));
    }
    ModelGate gate = gates.computeIfAbsent(model, name -> new ModelGate(name, timer));
    Instant start = timer.instant();
    Instant notBefore = start;
    ModelFailure last = null;
    TokenCounts tokens = TokenCounts.NONE;
    double cost = 0;
    int faults = 0;
    while (true) {
      switch (await(gate, new ModelGate.Waiter(caller, start, notBefore, last))) {
        case Decision.GivenUp(ModelFailure cause) -> {
          return failed.apply(cause).after(tokens, cost, 0, 0);
        }
        case Decision.Admitted admitted -> {
          T outcome = attempt(model, gate, admitted, attempt);
          last = outcome.failure();
          if (last == null || !last.isProviderFault() || isImpatient(caller, start)) {
            return outcome.after(tokens, cost, 0, 0);
          }
          tokens = tokens.plus(outcome.tokens());
          cost += outcome.cost();
          notBefore = timer.instant().plus(pause(++faults, last));
        }
      }
    }
  }

  private <T extends CallOutcome<T>> T attempt(
      String model, ModelGate gate, Decision.Admitted admitted, Attempt<T> attempt)
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
    if (gate.finished(admitted, fault)) {
      informAccount(model, fault);
    }
    return outcome;
  }

  /** Waits until the call may start. */
  private static Decision await(ModelGate gate, ModelGate.Waiter waiter)
      throws InterruptedException {
    gate.enter(waiter);
    if (waiter.isDone()) {
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

  private static Decision result(ModelGate.Waiter waiter) throws InterruptedException {
    try {
      return waiter.get();
    } catch (CancellationException e) {
      throw (InterruptedException)
          new InterruptedException("the admission controller is closed").initCause(e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("waiters do not fail", e);
    }
  }

  private boolean isImpatient(Caller caller, Instant start) {
    Duration patience = caller.patience();
    return patience != null && !start.plus(patience).isAfter(timer.instant());
  }

  /** The pause of a call after a fault that did not open the circuit. */
  private Duration pause(int faults, ModelFailure fault) {
    return CircuitBreaker.isTransient(fault)
        ? RetryPolicy.DEFAULT.pause(faults, fault, random)
        : Duration.ZERO;
  }

  /** Lets the models with the same key or account find out whether they have the same problem. */
  private void informAccount(String model, ModelFailure fault) {
    String account = account(model);
    gates.forEach((other, gate) -> {
      if (!other.equals(model) && account(other).equals(account)) {
        gate.accountChanged(fault);
      }
    });
  }

  private String account(String model) {
    ModelCard card = catalogue.find(model);
    return card == null ? "" : card.access().endpoint() + " " + card.access().key().variable();
  }

  /** What the calls of a program wait for, by model; empty if none waits. */
  public List<ModelWait> waits(String program) {
    return gates.values().stream()
        .map(gate -> gate.wait(program))
        .filter(Objects::nonNull)
        .toList();
  }

  /** Whether the circuit of a model is open. */
  public boolean isOpen(String model) {
    ModelGate gate = gates.get(model);
    return gate != null && gate.isOpen();
  }

  /** Lets every open circuit admit its next probe at once. */
  public void probeNow() {
    gates.values().forEach(ModelGate::probeNow);
  }

  /** Ends all waits: the waiting calls throw {@link InterruptedException}. */
  @Override
  public void close() {
    gates.values().forEach(ModelGate::close);
    timer.close();
  }
}

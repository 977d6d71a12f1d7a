package dev.abacus.topology.model.admission;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.RateLimits;
import dev.abacus.topology.model.admission.ModelGate.Decision;
import dev.abacus.topology.model.admission.SimulatedCounters.Counter;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A worker with a backlog: the calls of its documents, some of whose samples wait too. */
final class Load {

  /** An endpoint with both limits. */
  record Endpoint(Counter requests, Counter tokens, boolean states, boolean retryAfter) {

    /** Its responses state both limits. */
    static Endpoint open(Counter requests, Counter tokens) {
      return new Endpoint(requests, tokens, true, true);
    }

    /** Its responses state nothing. */
    static Endpoint silent(Counter requests) {
      return new Endpoint(requests, new SimulatedCounters.Unlimited(), false, false);
    }

    @Nullable ModelFailure refusal(long amount, Instant now) {
      if (!requests.accepts(1, now)) {
        return limited(requests, now);
      }
      return tokens.accepts(amount, now) ? null : limited(tokens, now);
    }

    private ModelFailure limited(Counter counter, Instant now) {
      return new ModelFailure.RateLimited(
          "slow down", retryAfter ? counter.state(now).reset() : null);
    }

    RateLimits limits(Instant now) {
      return new RateLimits(requests.state(now), tokens.state(now));
    }
  }

  private final VirtualTime time;
  private final ModelGate gate;
  private final Endpoint endpoint;
  private final Random random;
  private final int meanTokens;
  private long accepted;
  private long acceptedTokens;
  private long refused;
  private long samples;

  /** What happened in a span. */
  record Tally(long accepted, long acceptedTokens, long refused, long samples) {
    double refusedShare() {
      return (double) refused / Math.max(1, accepted + refused);
    }
  }

  Load(VirtualTime time, ModelGate gate, Endpoint endpoint, int meanTokens, long seed) {
    this.time = time;
    this.gate = gate;
    this.endpoint = endpoint;
    this.meanTokens = meanTokens;
    this.random = new Random(seed);
  }

  void start(int backlog) {
    for (int i = 0; i < backlog; i++) {
      next(i % 4 == 0 ? Caller.sample("p") : Caller.live("p"));
    }
  }

  private void next(Caller caller) {
    attempt(new Call(caller, meanTokens / 2 + random.nextInt(meanTokens), 0, null));
  }

  private record Call(Caller caller, long tokens, int faults, @Nullable ModelFailure last) {}

  private void attempt(Call call) {
    Instant now = time.instant();
    Duration pause =
        call.last() == null
            ? Duration.ZERO
            : AdmissionController.pause(call.faults(), call.last(), random);
    WaitQueue.Waiter waiter =
        new WaitQueue.Waiter(call.caller(), 4 * call.tokens(), now, now.plus(pause), call.last());
    var _ =
        waiter
            .decision()
            .thenAccept(decision -> {
              if (decision instanceof Decision.Admitted admitted) {
                time.schedule(
                    Duration.ofMillis(5 + random.nextInt(50)), () -> arrive(call, admitted));
              }
            });
    gate.enter(waiter);
  }

  private void arrive(Call call, Decision.Admitted admitted) {
    long tokens = call.tokens();
    ModelFailure refusal = endpoint.refusal(tokens, time.instant());
    RateLimits limits = endpoint.limits(time.instant());
    Duration latency = Duration.ofMillis(refusal != null ? 10 : 300 + random.nextInt(2000));
    time.schedule(
        latency,
        () -> {
          if (endpoint.states()) {
            gate.change((capacity, now) -> capacity.reported(limits, now));
          }
          var _ =
              gate.finished(
                  admitted,
                  4 * tokens,
                  refusal,
                  refusal == null
                      ? TokenCounts.of(tokens * 9 / 10, 0, tokens - tokens * 9 / 10)
                      : TokenCounts.NONE);
          if (refusal == null) {
            accepted++;
            acceptedTokens += tokens;
            samples += call.caller().priority() == Caller.Priority.SAMPLE ? 1 : 0;
            next(call.caller());
          } else {
            refused++;
            attempt(new Call(call.caller(), tokens, call.faults() + 1, refusal));
          }
        });
  }

  /** What happened since the last call of this method. */
  Tally lately() {
    Tally tally = new Tally(accepted, acceptedTokens, refused, samples);
    accepted = 0;
    acceptedTokens = 0;
    refused = 0;
    samples = 0;
    return tally;
  }
}

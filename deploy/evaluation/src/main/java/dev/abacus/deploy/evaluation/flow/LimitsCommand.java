package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.deploy.evaluation.load.PlanPublisher;
import dev.abacus.deploy.simulator.CallListener;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.fault.FaultKind;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.deploy.simulator.limit.RateLimit;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code abacus bench limits}: measures what a worker gets out of an endpoint that refuses calls
 * (429), beside what the endpoint would give. The endpoint counts; it runs in this process with the
 * broker, and the worker in a JVM of its own. More documents wait than the worker can process.
 */
@Command(
    name = "limits",
    description = {
      "Measure what a worker gets out of endpoints that refuse calls (429): scattered "
          + "refusals, a burst, and limits that are stated, learnt, or change.",
      "Half of the calls that an endpoint with a limit gets at the start are too many. "
          + "Changes happen after a quarter of the time. Refusals at any rate count from the start, "
          + "what a limit allows in the last quarter. Fails if a target is missed."
    },
    footer = "  abacus bench limits --only limit-doubled,limit-halved -o json")
public final class LimitsCommand extends BenchmarkCommand<List<LimitsCommand.Use>> {

  private static final Duration LATENCY = Duration.ofMillis(200);
  private static final int IN_FLIGHT = 60;
  private static final int PARTITIONS = 4;

  /**
   * Documents that wait, those that wait for a commit included. Keys do not spread them evenly: at
   * twice the number in flight, a partition was often empty.
   */
  private static final int WAITING = 5 * IN_FLIGHT;

  /** Calls per minute of an endpoint with a limit; a third of what the calls in flight allow. */
  private static final double LIMIT = 6_000;

  private static final double SCATTERED = 0.04;
  private static final double BURST = 0.9;

  @Option(
      names = "--seconds",
      defaultValue = "60s",
      paramLabel = "DURATION",
      description = "Duration of each measurement (default: ${DEFAULT-VALUE}).")
  private Duration duration = Duration.ZERO;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "ENDPOINT",
      description = "Endpoints (default: all): ${COMPLETION-CANDIDATES}.")
  private Set<Endpoint> only = Set.of(Endpoint.values());

  /** An endpoint that behaves in a certain way, and what a worker must get out of it. */
  enum Endpoint {
    /** Refuses nothing; the measure of the two next. */
    UNLIMITED(0, 0, 0, false, 1, 0),
    /** Refuses 4 % of the calls, whatever their rate. */
    SCATTERED_REFUSALS(SCATTERED, 0, 0, false, 0.9, 1),
    /** Refuses 90 % of the calls for a sixth of the time. */
    BURST_OF_REFUSALS(0, 0, 0, false, 0.9, 1),
    /** Has a limit, and does not state it. */
    LIMIT_UNSTATED(0, LIMIT, LIMIT, false, 0.85, 0.05),
    /** Its limit, which it does not state, doubles. */
    LIMIT_DOUBLED(0, LIMIT, 2 * LIMIT, false, 0.85, 1),
    /** Its limit, which it does not state, becomes half. */
    LIMIT_HALVED(0, LIMIT, LIMIT / 2, false, 0.85, 1),
    /** States its limit in the headers of its answers. */
    LIMIT_STATED(0, LIMIT, LIMIT, true, 0.97, 0),
    /** Has a limit that it does not state, and refuses 4 % of the calls below it. */
    LIMIT_AND_SCATTERED_REFUSALS(SCATTERED, LIMIT, LIMIT, false, 0.8, 1);

    private final double refused;
    private final double limitBefore;
    private final double limit;
    private final boolean stated;
    private final double least;
    private final double mostRefused;

    Endpoint(
        double refused,
        double limitBefore,
        double limit,
        boolean stated,
        double least,
        double mostRefused) {
      this.refused = refused;
      this.limitBefore = limitBefore;
      this.limit = limit;
      this.stated = stated;
      this.least = least;
      this.mostRefused = mostRefused;
    }

    /** The name as on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private RateLimit limit(double perMinute) {
      return RateLimit.NONE
          .withRequestsPerMinute(perMinute)
          .withWindowMs(1000)
          .withHeaders(stated)
          .withRetryAfter(RateLimit.RetryAfter.NONE);
    }

    private SimulatorOptions start() {
      return SimulatorOptions.DEFAULTS
          .withLatency(LATENCY)
          .withFaults(refusing(refused))
          .withRateLimit(limit(limitBefore));
    }

    private static FaultRates refusing(double share) {
      return new FaultRates(Map.of(FaultKind.RATE_LIMIT, share), Map.of());
    }

    /** Whether the start counts, when nothing is known of the endpoint. */
    private boolean fromStart() {
      return limit == 0 && this != BURST_OF_REFUSALS;
    }

    /** What the endpoint accepts per second, if this is what it accepts without refusals. */
    private double ideal(double unlimited) {
      return limit == 0 ? unlimited * (1 - refused) : limit / 60;
    }
  }

  /**
   * What a worker got out of an endpoint.
   *
   * @param endpoint the endpoint
   * @param acceptedPerSecond calls per second that the endpoint answered
   * @param ratioToIdeal these ÷ what the endpoint would have answered
   * @param least target of the ratio
   * @param refusedShare refused calls ÷ all calls
   * @param mostRefused target of the refused share; 1 if there is none
   */
  record Use(
      Endpoint endpoint,
      double acceptedPerSecond,
      double ratioToIdeal,
      double least,
      double refusedShare,
      double mostRefused) {

    /** Whether both targets are met. */
    boolean isMet() {
      return ratioToIdeal >= least && refusedShare <= mostRefused;
    }
  }

  /** The answers and refusals of an endpoint, with their times. */
  private static final class Answers implements CallListener {
    private record Answer(long nanos, boolean accepted) {}

    private final Queue<Answer> all = new ConcurrentLinkedQueue<>();
    private final Duration duration;
    private volatile long start = System.nanoTime();

    /** Answers within {@code duration} count. */
    Answers(Duration duration) {
      this.duration = duration;
    }

    @Override
    public void answered(Call call) {
      all.add(new Answer(System.nanoTime(), call.status() == 200));
    }

    void begin() {
      start = System.nanoTime();
      all.clear();
    }

    private double number(Duration from, boolean accepted) {
      return all.stream()
          .filter(answer -> answer.accepted() == accepted)
          .mapToLong(answer -> answer.nanos() - start)
          .filter(nanos -> nanos >= from.toNanos() && nanos < duration.toNanos())
          .count();
    }

    double acceptedPerSecond(Duration from) {
      return number(from, true) * 1e9 / duration.minus(from).toNanos();
    }

    double refusedShare(Duration from) {
      double refused = number(from, false);
      double calls = refused + number(from, true);
      return calls == 0 ? 0 : refused / calls;
    }
  }

  @Override
  protected void check() {
    if (duration.toSeconds() < 12) {
      throw new IllegalArgumentException("--seconds must be at least 12 s");
    }
  }

  @Override
  protected List<Use> measure() throws IOException {
    List<Use> uses = new ArrayList<>();
    double fromStart = 0;
    double last = 0;
    try (BenchmarkCluster cluster = new BenchmarkCluster(PARTITIONS)) {
      for (Endpoint endpoint : Endpoint.values()) {
        if (endpoint == Endpoint.UNLIMITED || only.contains(endpoint)) {
          step(endpoint.toString());
          Answers answers = measure(endpoint, cluster);
          if (endpoint == Endpoint.UNLIMITED) {
            fromStart = answers.acceptedPerSecond(Duration.ZERO);
            last = answers.acceptedPerSecond(lastQuarter());
          }
          uses.add(use(endpoint, answers, endpoint.fromStart() ? fromStart : last));
        }
      }
    }
    return uses;
  }

  private Duration lastQuarter() {
    return duration.minus(duration.dividedBy(4));
  }

  private Use use(Endpoint endpoint, Answers answers, double unlimited) {
    Duration from = endpoint.fromStart() ? Duration.ZERO : lastQuarter();
    double accepted = answers.acceptedPerSecond(from);
    return new Use(
        endpoint,
        accepted,
        accepted / endpoint.ideal(unlimited),
        endpoint.least,
        answers.refusedShare(endpoint.stated ? Duration.ZERO : from),
        endpoint.mostRefused);
  }

  private Answers measure(Endpoint endpoint, BenchmarkCluster cluster) throws IOException {
    Answers answers = new Answers(duration);
    BenchmarkProgram program = new BenchmarkProgram("bench-" + endpoint, 2);
    SimulatedEndpoint models =
        SimulatedEndpoint.start(endpoint.start(), Clock.systemUTC(), answers);
    try (WorkerProcesses workers = new WorkerProcesses(cluster, models, IN_FLIGHT, Map.of());
        PlanPublisher _ = cluster.start(program);
        DocumentFlow flow = new DocumentFlow(cluster.connection(), program)) {
      flow.awaitReady(workers.start("worker-" + endpoint));
      answers.begin();
      LongSupplier backlog = flow.backlog(WAITING);
      flow.during(duration.dividedBy(4), backlog);
      if (endpoint == Endpoint.BURST_OF_REFUSALS) {
        models.changeFaults(Endpoint.refusing(BURST));
        flow.during(duration.dividedBy(6), backlog);
        models.changeFaults(FaultRates.NONE);
      } else if (endpoint.limit != endpoint.limitBefore) {
        models.state().limiter().change(endpoint.limit(endpoint.limit));
      }
      Duration past = Duration.ofNanos(System.nanoTime() - answers.start);
      flow.during(duration.minus(past), backlog);
    }
    return answers;
  }

  @Override
  protected @Nullable String violation(List<Use> uses) {
    String missed =
        uses.stream()
            .filter(use -> !use.isMet())
            .map(use -> use.endpoint().toString())
            .collect(Collectors.joining(", "));
    return missed.isEmpty() ? null : "targets are missed: " + missed;
  }
}

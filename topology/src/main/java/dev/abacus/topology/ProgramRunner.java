package dev.abacus.topology;

import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.avro.RegistryOutage;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.monitor.LatencyHistogram;
import dev.abacus.schemas.monitor.LogContext;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.supervision.ThreadHealth;
import dev.abacus.schemas.supervision.ThreadStatus;
import dev.abacus.topology.control.ProgramPlans;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.version.ProgramVersions;
import dev.abacus.topology.version.VersionChange;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one program on this instance: reconciles its {@link ProgramApplications} with the control
 * topic, on a thread of its own. A new plan needs no action here, because documents look it up in
 * the {@link ProgramPlans}. A program with other topics, formats or ordering needs other
 * topologies, so its applications are restarted.
 */
final class ProgramRunner implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProgramRunner.class);

  /** Begins the state of a program on an instance with a thread that does not work. */
  static final String DEGRADED = "DEGRADED: ";

  /** Longest pause before a worker advances a change of version. */
  private static final Duration CHANGE_SPREAD = Duration.ofMillis(600);

  /**
   * Interval at which a program is reconciled though nothing has changed: topics may be deleted
   * while it runs, and those of versions that have ended are removed after a time.
   */
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  /** Time that a reconciliation has for its end when the worker stops. */
  private static final Duration LAST = Duration.ofSeconds(2);

  /** The parts of a program that samples and all versions depend on. */
  private record Shape(String validation, List<Reference> references) {
    static Shape of(Program program) {
      return new Shape(program.validation().topic(), program.references());
    }
  }

  private final String name;
  private final ProgramPlans plans;
  private final WorkerContext worker;
  private final ProgramCounters counters;
  private final ThreadHealth health;
  private final VersionChange change;
  private final Consumer<String> onStopped;
  private final ScheduledThreadPoolExecutor thread;

  // Written by the thread above; the status thread reads the volatile ones.
  private @Nullable Shape shape;
  private volatile @Nullable ProgramApplications applications;
  private volatile String problem = "";
  private volatile boolean closed;

  /** The next reconciliation, unless something changes before. */
  private @Nullable Future<?> next;

  /** When a change of version is advanced, by {@link System#nanoTime}; null if none is due. */
  private @Nullable Long changeAt;

  private ProgramPlans.State logged = ProgramPlans.State.EMPTY;

  /**
   * A runner that does nothing until {@link #changed}.
   *
   * @param onStopped hears the name on the thread of the runner when a removed program has stopped
   */
  ProgramRunner(String name, ProgramPlans plans, WorkerContext worker, Consumer<String> onStopped) {
    this.name = name;
    this.onStopped = onStopped;
    this.plans = plans;
    this.worker = worker;
    this.counters = new ProgramCounters(worker.models().catalogue());
    this.health = worker.streams().supervisor(name).watch(thread(name));
    this.change =
        new VersionChange(
            name,
            worker.versions(),
            worker.kafka().groups(),
            plans,
            () -> TopicSetup.end(worker.kafka().admin(), worker.kafka().names().control()),
            this::changed);
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            Thread.ofPlatform().name("abacus-program-" + name).daemon().factory(),
            new ThreadPoolExecutor.DiscardPolicy()); // A closed program hears of no change.
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Name of a program's thread in status records. */
  static String thread(String program) {
    return "program " + program;
  }

  /** Reconciles asynchronously. Call it after each change of the plans. */
  void changed() {
    thread.execute(this::reconcile);
  }

  /** Starts what sleeps, asynchronously. */
  void wake() {
    thread.execute(() -> {
      ProgramApplications running = applications;
      if (running != null) {
        running.wake();
      }
    });
  }

  private void reconcile() {
    try (LogContext _ = LogContext.ofProgram(name)) {
      reconcileNow();
    }
  }

  private void reconcileNow() {
    if (closed) {
      return;
    }
    Duration pause;
    try {
      ProgramPlans.State state = plans.state();
      apply(state);
      log(state);
      problem = "";
      health.succeeded();
      if (state.program() == null) {
        onStopped.accept(name);
      }
      pause = untilNext();
    } catch (RuntimeException | Error e) {
      // The status shows the problem, whatever it is, and the next attempt may succeed.
      problem = worker.access().describe(e).replaceAll("\\s*\\R\\s*", " ");
      pause = health.failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    if (pause != null) {
      reconcileIn(pause);
    }
  }

  private void reconcileIn(Duration pause) {
    if (next != null) {
      next.cancel(false);
    }
    next = thread.schedule(this::reconcile, pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** The pause until the next reconciliation: a change of version is due earlier. */
  private Duration untilNext() {
    long nanos = INTERVAL.toNanos();
    return Duration.ofNanos(
        changeAt == null ? nanos : Math.clamp(changeAt - System.nanoTime(), 0, nanos));
  }

  /** Logs what changed for the program since the last time. */
  private void log(ProgramPlans.State state) {
    Program program = state.program();
    if (program != null && logged.program() == null) {
      LOG.info(
          "Program '{}' started: {} to {}",
          name,
          program.sources().stream().map(Source::topic).toList(),
          program.results().topic());
    } else if (program == null && logged.program() != null) {
      LOG.info("Program '{}' was removed; it stopped", name);
    } else if (program != null && !program.equals(logged.program())) {
      LOG.info("Program '{}' changed", name);
    }
    ControlRecord.Activated active = state.active();
    if (active != null && !active.equals(logged.active())) {
      LOG.info(
          "Plan of epoch {} is active for {} of the new documents of '{}', by {}: {}",
          active.epoch(),
          active.share() < 1 ? Math.round(active.share() * 1000) / 10.0 + " %" : "all",
          name,
          active.by(),
          LogContext.shortened(active.reason()));
    }
    if (state.paused() != logged.paused()) {
      LOG.info("Program '{}' is {}", name, state.paused() ? "paused" : "resumed");
    }
    logged = state;
  }

  private void apply(ProgramPlans.State state) throws InterruptedException {
    Program program = state.program();
    Shape wanted = program == null ? null : Shape.of(program);
    if (shape != null && !shape.equals(wanted)) {
      stop();
    }
    if (program == null) {
      return;
    }
    ProgramApplications running = applications;
    if (running == null) {
      worker.access().require(worker.kafka().admin(), program);
    }
    if (!worker.versions().isCaughtUp()) {
      changeLater();
      return;
    }
    if (changeAt != null && System.nanoTime() - changeAt >= 0) {
      change.advance();
      changeAt = null;
    }
    if (change.isDue()) {
      changeLater();
    }
    ProgramVersions versions = worker.versions().versions(name);
    if (versions == null) {
      return; // The first transition is due.
    }
    if (running == null) {
      Program all = withReferences(program, versions);
      ProgramServices services =
          new ProgramServices(all, plans, worker, counters, change, this::changed);
      running = new ProgramApplications(name, plans, worker.streams(), services);
      applications = running;
      shape = wanted;
    }
    running.advance(program, state, versions);
    running.removeEnded(versions);
    running.requireTopics();
  }

  /** Advances a change soon. Workers do so at different times, so that one finds it done. */
  private void changeLater() {
    if (changeAt == null) {
      changeAt = System.nanoTime() + ThreadLocalRandom.current().nextLong(CHANGE_SPREAD.toNanos());
    }
  }

  /** The program with the references of the versions that run beside it. */
  private static Program withReferences(Program program, ProgramVersions versions) {
    Map<String, Reference> references = new LinkedHashMap<>();
    program.references().forEach(items -> references.put(items.name(), items));
    Stream.concat(
            Stream.of(versions.current()),
            versions.ending().stream().map(ProgramVersions.Ending::version))
        .flatMap(version -> version.program().references().stream())
        .forEach(items -> references.putIfAbsent(items.name(), items));
    return new Program(
        program.name(),
        program.sources(),
        List.copyOf(references.values()),
        program.operators(),
        program.results(),
        program.settings());
  }

  ProgramPlans plans() {
    return plans;
  }

  /** The times that operators took for live documents. */
  Map<String, LatencyHistogram> latencies() {
    return counters.latencies();
  }

  /** The status of the program on this instance; null if there is no program. */
  @Nullable InstanceStatus status() {
    ProgramPlans.State state = plans.state();
    if (state.program() == null) {
      return null;
    }
    ControlRecord.Activated active = state.active();
    ProgramApplications running = applications;
    if (running != null && running.isOutgrown()) {
      changed(); // The lag, which each status asks for, knows the partitions of the sources.
    }
    return counters
        .status(
            name,
            worker.kafka().instance(),
            worker.streams().clock().instant(),
            describe(state, running),
            active == null ? null : active.epoch())
        .toBuilder()
        .lag(running == null ? null : running.lag())
        .models(worker.models().admission().health())
        .references(running == null ? List.of() : running.services().references().progress())
        .waits(worker.models().admission().waits(name))
        .demands(worker.models().admission().demands())
        .availability(worker.models().access().inventory().reports())
        .reuse(worker.models().reuse(name, counters.reuse()))
        .threads(worker.streams().supervisor(name).threads())
        .versions(running == null ? List.of() : running.versions())
        .build();
  }

  private String describe(ProgramPlans.State state, @Nullable ProgramApplications running) {
    if (!problem.isEmpty()) {
      return "WAITING: " + problem;
    }
    AvroValues avro = worker.avro();
    Program program = state.program();
    RegistryOutage.State registry =
        avro == null || program == null || !program.usesRegistry() ? null : avro.outage().state();
    if (registry != null) {
      return "WAITING: %d records wait for the schema registry since %s: %s"
          .formatted(registry.waiting(), registry.since(), registry.message());
    }
    List<ThreadStatus> troubled = worker.streams().supervisor(name).troubled();
    if (!troubled.isEmpty()) {
      return DEGRADED
          + troubled.stream().map(ThreadStatus::describe).collect(Collectors.joining("; "));
    }
    String documents = running == null ? null : running.documentState();
    String unaffordable = running == null ? null : running.services().spendingProblem();
    if (unaffordable != null && "RUNNING".equals(documents)) {
      return "WAITING: " + unaffordable;
    }
    if (documents != null) {
      return documents;
    }
    if (running != null && !running.services().references().isComplete()) {
      return "WAITING_FOR_REFERENCES";
    }
    if (closed) {
      return "STOPPED";
    }
    return state.active() == null ? "WAITING_FOR_PLAN" : "STARTING";
  }

  private void stop() {
    ProgramApplications running = applications;
    if (running != null) {
      running.close();
    }
    applications = null;
    shape = null;
  }

  /** Ends the thread of a program that has stopped, and forgets what the worker knows of it. */
  void end() {
    closed = true;
    thread.shutdown();
    worker.forget(name);
  }

  /** Stops the applications. A reconciliation that waits for Kafka is interrupted. */
  @Override
  public void close() {
    closed = true;
    thread.shutdown();
    try {
      if (!thread.awaitTermination(LAST.toMillis(), TimeUnit.MILLISECONDS)) {
        thread.shutdownNow();
        if (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
          LOG.warn("Program '{}' is stopped while it still waits for Kafka", name);
        }
      }
      worker.streams().supervisor(name).forget(thread(name));
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

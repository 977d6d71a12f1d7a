package dev.abacus.deploy.evaluation.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.deploy.evaluation.chaos.ChaosSchedule.Event;
import dev.abacus.deploy.evaluation.chaos.judge.History;
import dev.abacus.deploy.evaluation.chaos.judge.History.Kind;
import dev.abacus.deploy.evaluation.chaos.judge.Verdict;
import dev.abacus.deploy.local.DataFolder;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.program.Program;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One chaos run. A single thread sends documents, reads results and executes events; what an event
 * leaves to be done later waits in an agenda.
 */
final class ChaosRun {

  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration START = Duration.ofMinutes(3);
  private static final long LATENCY_MILLIS = 200;

  /** Time between two looks at a condition. */
  private static final long CONDITION_MILLIS = 300;

  private static final long LONGEST_TAKEOVER_MILLIS = 5_000;

  /** Longest time to wait for outstanding results at the end. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Time for a repeated result to arrive after the last expected one. */
  private static final Duration FOR_DUPLICATES = Duration.ofSeconds(3);

  private static final int MANY_GROUPS = 500;
  private static final int LARGE_GROUP = 850_000;
  private static final int NAMES = 1_000;
  private static final int IDLE_PROGRAMS = 3;

  private static final ModelServer.Mode[] FAULTS = {
    ModelServer.Mode.SERVER_ERRORS,
    ModelServer.Mode.RATE_LIMIT,
    ModelServer.Mode.LOST_CONNECTIONS,
    ModelServer.Mode.SLOW
  };

  private record Task(long at, long order, Runnable action) {}

  private final ChaosOptions options;
  private final Consumer<String> progress;
  private final ModelServer models;
  private final Fleet fleet;
  private final KafkaConnection connection;
  private final Traffic traffic;
  private final ExecutorService writer;
  private final PriorityQueue<Task> agenda =
      new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::order));
  private long tasks;
  private long nextLook = System.nanoTime();

  /** The broker that was killed; 0 if all run. */
  private int deadBroker;

  /** The epoch that was activated last, by program. */
  private final Map<ChaosPrograms, Integer> epochs = new EnumMap<>(ChaosPrograms.class);

  private final AtomicInteger controlFailures = new AtomicInteger();

  private ChaosRun(
      ChaosOptions options,
      Consumer<String> progress,
      ModelServer models,
      Fleet fleet,
      Traffic traffic,
      ExecutorService writer) {
    this.options = options;
    this.progress = progress;
    this.models = models;
    this.fleet = fleet;
    this.connection = KafkaConnection.to(fleet.bootstrapServers());
    this.traffic = traffic;
    this.writer = writer;
  }

  /**
   * Starts a cluster, runs, and judges.
   *
   * @param progress receives a line per event
   * @throws IOException if the model server cannot start
   * @throws IllegalStateException if the cluster does not start
   */
  static ChaosReport run(ChaosOptions options, Consumer<String> progress) throws IOException {
    List<ChaosPrograms> programs = options.programs;
    try (DataFolder folder = DataFolder.of(options.data, "chaos");
        ModelServer models = new ModelServer(programs, LATENCY_MILLIS);
        Fleet fleet = new Fleet(options, folder.path(), models)) {
      KafkaConnection connection = KafkaConnection.to(fleet.bootstrapServers());
      ClusterSetup.create(connection, programs, ChaosPrograms.caps(programs, options.rate));
      try (Traffic traffic = new Traffic(connection, programs, options.rate);
          ExecutorService writer = Executors.newSingleThreadExecutor()) {
        return new ChaosRun(options, progress, models, fleet, traffic, writer).run();
      }
    }
  }

  private ChaosReport run() throws IOException {
    restore();
    if (!until(() -> silent().isEmpty(), START, true)) {
      throw new IllegalStateException("no results of " + silent());
    }
    progress.accept("all programs have results");
    ChaosSchedule.draw(options.seed, options.duration(), options.pause(), options.events())
        .forEach(event -> in(event.atMillis(), () -> execute(event)));
    var _ = until(() -> false, options.duration(), true);
    calm();
    finish();
    History history = history();
    if (options.data != null) {
      new ObjectMapper().writeValue(options.data.resolve("history.json").toFile(), history);
    }
    List<Verdict> verdicts = new ArrayList<>(options.judge().judge(history));
    verdicts.add(fleet.processes());
    if (!traffic.refused().isEmpty()) {
      throw new IllegalStateException("the brokers refused documents: " + traffic.refused());
    }
    if (controlFailures.get() > 0) {
      progress.accept(controlFailures + " control changes failed because of dead brokers");
    }
    return ChaosReport.of(options.seed, history, traffic.taught(), verdicts);
  }

  private History history() {
    return traffic.history(models.calls(), fleet.incidents());
  }

  /**
   * Sends documents, reads results and does what is due until a condition holds.
   *
   * @return whether it holds in time
   */
  private boolean until(BooleanSupplier condition, Duration time, boolean send) {
    long deadline = System.nanoTime() + time.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      if (send) {
        traffic.send();
      }
      traffic.poll(POLL);
      fleet.check();
      while (!agenda.isEmpty() && agenda.peek().at() <= System.currentTimeMillis()) {
        agenda.remove().action().run();
      }
    }
    return true;
  }

  /** The programs without a result; windows close only later. */
  private Set<String> silent() {
    Set<String> silent = new TreeSet<>(ChaosPrograms.shapes(options.programs).keySet());
    silent.remove(ChaosPrograms.WINDOW.program());
    history().outputs().forEach(output -> silent.remove(output.program()));
    return silent;
  }

  /** Ends all disturbances, and lets everything run that should. */
  private void calm() {
    agenda.clear();
    models.behave(ModelServer.Mode.NORMAL);
    models.refuseFlex(false);
    startDeadBroker();
    workers(1, ChaosOptions.MOST_WORKERS).forEach(fleet::thaw);
    restore();
    progress.accept("the events end");
  }

  /** Starts the processes of normal operation that do not run. */
  private void restore() {
    workers(1, options.workers).forEach(fleet::start);
    for (int i = 1; i <= options.optimizers; i++) {
      fleet.start("optimizer-" + i);
    }
  }

  private static Stream<String> workers(int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj(i -> "worker-" + i);
  }

  private void finish() {
    // Every event time that is due has passed when the last document was sent.
    traffic.endEventTime();
    // A spending cap has delayed a fifth of the documents.
    Duration patience = PATIENCE.plus(options.duration().dividedBy(3));
    var _ = until(this::isComplete, patience, false);
    var _ = until(() -> false, FOR_DUPLICATES, false);
  }

  /** Whether no result is missing, by a look once a second. */
  private boolean isComplete() {
    restore();
    if (System.nanoTime() < nextLook) {
      return false;
    }
    Verdict waiting = options.judge().missing(history());
    progress.accept(
        "%d results are missing: %s".formatted(waiting.violations(), waiting.examples()));
    nextLook = System.nanoTime() + 1_000_000_000;
    return waiting.holds();
  }

  private void in(long millis, Runnable action) {
    agenda.add(new Task(System.currentTimeMillis() + millis, tasks++, action));
  }

  private void execute(Event event) {
    progress.accept("%s %d".formatted(event.action(), event.target() % 100));
    Kind incident = event.action().incident();
    if (incident != null) {
      long until = System.currentTimeMillis() + event.lengthMillis();
      fleet.record(incident, event.action().name(), until);
    }
    ChaosPrograms program = options.programs.get(event.target() % options.programs.size());
    switch (event.action()) {
      case KILL_WORKER -> kill(worker(event), event.lengthMillis());
      case FREEZE_WORKER -> freeze(event, fleet::thaw);
      case FREEZE_AND_HAND_OVER -> freeze(event, this::handOverTo);
      case TERMINATE_WORKER -> restart(worker(event), event.lengthMillis());
      case ROLLING_RESTART -> rollingRestart(1);
      case SCALE_TO_THREE_AND_ONE -> scale(event.lengthMillis());
      case KILL_OPTIMIZER -> {
        if (options.optimizers > 0) {
          kill("optimizer-" + (1 + event.target() % options.optimizers), event.lengthMillis());
        }
      }
      case KILL_BROKER -> killBroker(1 + event.target() % options.brokers, event.lengthMillis());
      case PROVIDER_FAULTS -> behave(FAULTS[event.target() % FAULTS.length], event);
      case FLEX_REFUSED -> {
        models.refuseFlex(true);
        in(event.lengthMillis(), () -> models.refuseFlex(false));
      }
      case SWAP -> options.programs.forEach(it -> swap(it, event.target()));
      case SWAP_AGAIN -> swap(program, event.target());
      case PIN ->
          write(
              ChaosPrograms.CHAIN,
              new ControlRecord.Pinned(
                  ChaosPrograms.CHAIN.program(),
                  "topic",
                  new ModelSelection(event.target() % 2 == 0 ? "gpt-4o-mini" : "gpt-4.1-nano")));
      case PROGRAM_VERSION ->
          write(program, new ControlRecord.ProgramSet(program.version(2 + event.target())));
      case MANY_GROUPS ->
          traffic.sendGroups(ChaosPrograms.WINDOW.program(), MANY_GROUPS, "one-of-many-");
      case LARGE_GROUP ->
          traffic.sendGroups(ChaosPrograms.WINDOW.program(), 1, "g".repeat(LARGE_GROUP));
      case SCATTERED_REFUSALS -> behave(ModelServer.Mode.SCATTERED_REFUSALS, event);
      case NAME_FLOOD -> flood(event.target());
      case IDLE_PROGRAMS -> applyIdlePrograms(event.lengthMillis());
    }
  }

  /** Activates another epoch than the last one. */
  private void swap(ChaosPrograms program, int target) {
    int last = epochs.getOrDefault(program, 1);
    int next = 1 + (last + target % (ChaosPrograms.PLANS - 1)) % ChaosPrograms.PLANS;
    epochs.put(program, next);
    write(program, program.activation(next));
  }

  private void flood(int target) {
    List<ControlRecord> records =
        IntStream.range(0, NAMES)
            .<ControlRecord>mapToObj(
                i -> new ControlRecord.Paused("no-%d-%d".formatted(target, i), true))
            .toList();
    control(topic -> topic.write(records));
  }

  private void applyIdlePrograms(long lengthMillis) {
    List<Program> idle =
        IntStream.rangeClosed(1, IDLE_PROGRAMS)
            .mapToObj(i -> ChaosPrograms.CHAIN.named("idle-" + i))
            .toList();
    List<ControlRecord> records =
        idle.stream().<ControlRecord>map(ControlRecord.ProgramSet::new).toList();
    control(topic -> {
      TopicCreation creation = new TopicCreation(ChaosOptions.PARTITIONS, 0);
      idle.forEach(program -> creation.create(connection, program));
      topic.write(records);
    });
    List<ControlKey> keys = records.stream().map(ControlRecord::key).toList();
    in(lengthMillis, () -> control(topic -> topic.remove(keys)));
  }

  private void behave(ModelServer.Mode mode, Event event) {
    models.behave(mode);
    in(event.lengthMillis(), () -> models.behave(ModelServer.Mode.NORMAL));
  }

  private String worker(Event event) {
    List<String> active = fleet.activeWorkers();
    return active.isEmpty() ? "worker-1" : active.get(event.target() % active.size());
  }

  private void kill(String process, long lengthMillis) {
    fleet.kill(process);
    in(lengthMillis, () -> fleet.start(process));
  }

  private void freeze(Event event, Consumer<String> then) {
    String worker = worker(event);
    fleet.freeze(worker);
    in(event.lengthMillis(), () -> then.accept(worker));
  }

  private void restart(String worker, long afterMillis) {
    fleet.terminate(worker);
    when(() -> fleet.ended(worker), () -> in(afterMillis, () -> fleet.start(worker)));
  }

  /** The other workers leave in order; then a frozen one continues. */
  private void handOverTo(String frozen) {
    List<String> owners = fleet.activeWorkers();
    owners.forEach(fleet::terminate);
    when(
        () -> owners.stream().allMatch(fleet::ended),
        () -> {
          fleet.thaw(frozen);
          in(LONGEST_TAKEOVER_MILLIS, () -> owners.forEach(fleet::start));
        });
  }

  /** Does something as soon as a condition holds. */
  private void when(BooleanSupplier condition, Runnable then) {
    if (condition.getAsBoolean()) {
      then.run();
    } else {
      in(CONDITION_MILLIS, () -> when(condition, then));
    }
  }

  /** The next worker is restarted when the last one is ready, as docs/your-kafka.md says. */
  private void rollingRestart(int number) {
    if (number <= options.workers) {
      String worker = "worker-" + number;
      restart(worker, 0);
      in(1_000, () -> when(() -> fleet.isReady(worker), () -> rollingRestart(number + 1)));
    }
  }

  private void scale(long lengthMillis) {
    workers(1, ChaosOptions.MOST_WORKERS).forEach(fleet::start);
    in(lengthMillis, () -> workers(2, ChaosOptions.MOST_WORKERS).forEach(fleet::terminate));
    in(2 * lengthMillis, this::restore);
  }

  /** The loss of several replicas at once is not survived, so one broker is killed at a time. */
  private void killBroker(int node, long lengthMillis) {
    if (deadBroker == 0 && ClusterSetup.allReplicasAreInSync(connection, options.brokers)) {
      deadBroker = node;
      fleet.killBroker(node);
      in(lengthMillis, this::startDeadBroker);
    }
  }

  private void startDeadBroker() {
    if (deadBroker != 0) {
      fleet.startBroker(deadBroker);
      deadBroker = 0;
    }
  }

  private void write(ChaosPrograms program, ControlRecord record) {
    if (options.programs.contains(program)) {
      control(topic -> {
        topic.write(record);
        fleet.record(Kind.CONTROL_CHANGE, program.program(), System.currentTimeMillis());
      });
    }
  }

  private void control(Consumer<ControlTopic> change) {
    // It blocks while no broker answers.
    writer.execute(() -> {
      try {
        change.accept(ClusterSetup.control(connection));
      } catch (OperationFailedException e) {
        controlFailures.incrementAndGet();
      }
    });
  }
}

package dev.abacus.deploy.evaluation.chaos;

import dev.abacus.deploy.evaluation.chaos.judge.History.Incident;
import dev.abacus.deploy.evaluation.chaos.judge.History.Kind;
import dev.abacus.deploy.evaluation.chaos.judge.Verdict;
import dev.abacus.deploy.evaluation.load.CommandProcesses;
import dev.abacus.deploy.local.ChildJvm;
import dev.abacus.deploy.local.KafkaProcesses;
import dev.abacus.deploy.local.Ports;
import dev.abacus.topology.WorkerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a run, started as users start them: {@code abacus worker}, {@code abacus
 * optimizer} and Kafka's own brokers. Records what is done to them. A worker that starts again has
 * the same name and state directory, and a new process name.
 */
final class Fleet implements AutoCloseable {

  /** Workers leave the group this long after a kill. */
  static final int SESSION_MILLIS = 6_000;

  /** Time in which a killed broker is started and ready again, on a busy machine. */
  private static final long OUTAGE_MILLIS = 60_000;

  /** The JVM's own exit code after SIGTERM. */
  private static final int SIGTERM_CODE = 143;

  /** Processes that live for minutes do not repay the optimizing compiler. */
  private static final List<String> JVM_OPTIONS =
      List.of("-Xmx300m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final ChaosOptions options;
  private final Path folder;
  private final ModelServer models;
  private final KafkaProcesses brokers;
  private final CommandProcesses processes;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, Member> members = new TreeMap<>();

  /** Number of starts by name. */
  private final Map<String, Integer> starts = new TreeMap<>();

  private final List<Incident> incidents = new CopyOnWriteArrayList<>();
  private final List<String> unexpectedEnds = new ArrayList<>();
  private int versions;
  private int ends;

  /** A worker or optimizer that runs. */
  private static final class Member {

    private final String name;
    private final String processName;
    private final int port;
    private final ChildJvm process;
    private final long startedAt;
    private final long logSizeAtStart;
    private boolean leaving;
    private boolean leftBeforeMain;
    private boolean frozen;
    private long frozenAt;

    Member(String name, String processName, int port, ChildJvm process, long logSizeAtStart) {
      this.name = name;
      this.processName = processName;
      this.port = port;
      this.process = process;
      this.startedAt = System.currentTimeMillis();
      this.logSizeAtStart = logSizeAtStart;
    }
  }

  Fleet(ChaosOptions options, Path folder, ModelServer models) {
    this.options = options;
    this.folder = folder;
    this.models = models;
    this.brokers =
        KafkaProcesses.start(
            folder,
            options.brokers,
            Map.of(
                "group.streams.session.timeout.ms",
                String.valueOf(SESSION_MILLIS),
                "group.streams.max.session.timeout.ms",
                "60000"));
    this.processes = new CommandProcesses(folder, bootstrapServers(), JVM_OPTIONS);
  }

  String bootstrapServers() {
    return brokers.bootstrapServers();
  }

  /** What was done so far. */
  List<Incident> incidents() {
    List<Incident> all = new ArrayList<>(incidents);
    // A frozen process may still run calls that it started before.
    members.values().stream()
        .filter(member -> member.frozen)
        .forEach(member ->
            all.add(
                new Incident(
                    Kind.WORKER_FROZEN,
                    member.processName,
                    member.frozenAt,
                    System.currentTimeMillis())));
    return all;
  }

  void record(Kind kind, String target, long until) {
    incidents.add(new Incident(kind, target, System.currentTimeMillis(), until));
  }

  private void record(Kind kind, String target) {
    record(kind, target, System.currentTimeMillis());
  }

  /** Names of the workers that run and are not stopped. */
  List<String> activeWorkers() {
    return members.values().stream()
        .filter(member -> member.name.startsWith("worker-") && !member.leaving && !member.frozen)
        .map(member -> member.name)
        .toList();
  }

  /** Starts a worker or an optimizer unless it runs; the name begins with the kind of process. */
  void start(String name) {
    if (members.containsKey(name)) {
      return;
    }
    String processName = name + "." + starts.merge(name, 1, Integer::sum);
    int port = Ports.free();
    long logSize = logSize(name);
    boolean worker = name.startsWith("worker-");
    ChildJvm process =
        worker
            ? processes.worker(
                name, nextVersion(), models.baseUri(processName), workerProperties(port))
            : processes.optimizer(name, nextVersion(), Map.of("optimizer.stream.examples", "0"));
    members.put(name, new Member(name, processName, port, process, logSize));
    if (worker) {
      record(Kind.WORKER_STARTED, processName);
    }
  }

  private String nextVersion() {
    String other = options.other;
    return other != null && versions++ % 2 == 0 ? other : CommandProcesses.thisVersion();
  }

  private Map<String, String> workerProperties(int port) {
    return Map.of(
        WorkerConfig.HTTP_LISTENER,
        "127.0.0.1:" + port,
        // So that programs without documents sleep during a run.
        WorkerConfig.SLEEP_AFTER_MS,
        "5000",
        "abacus.in.flight",
        String.valueOf(ChaosOptions.IN_FLIGHT),
        "auto.offset.reset",
        "earliest",
        "abacus.reference.embedders",
        ModelServer.EMBEDDER,
        "transaction.timeout.ms",
        "10000",
        "group.protocol",
        options.protocol,
        "session.timeout.ms",
        String.valueOf(SESSION_MILLIS));
  }

  /** Kills a process as kill -9 does. */
  void kill(String name) {
    Member member = members.remove(name);
    if (member == null) {
      return;
    }
    if (member.frozen) {
      recordThaw(member);
    }
    record(
        name.startsWith("worker-") ? Kind.WORKER_KILLED : Kind.OPTIMIZER_KILLED,
        member.processName);
    member.process.kill();
  }

  void freeze(String name) {
    Member member = members.get(name);
    if (member != null && !member.frozen && !member.leaving) {
      member.frozen = true;
      member.frozenAt = System.currentTimeMillis();
      member.process.signal("STOP");
    }
  }

  void thaw(String name) {
    Member member = members.get(name);
    if (member != null && member.frozen) {
      member.process.signal("CONT");
      recordThaw(member);
    }
  }

  private void recordThaw(Member member) {
    member.frozen = false;
    incidents.add(
        new Incident(
            Kind.WORKER_FROZEN, member.processName, member.frozenAt, System.currentTimeMillis()));
  }

  /** Sends SIGTERM; {@link #check} sees the end. */
  void terminate(String name) {
    Member member = members.get(name);
    if (member != null && !member.leaving) {
      thaw(name);
      member.leaving = true;
      member.leftBeforeMain = logSize(name) == member.logSizeAtStart;
      record(Kind.WORKER_TERMINATED, member.processName);
      if (activeWorkers().stream().noneMatch(this::isReady)) {
        record(Kind.NO_WORKER_READY, member.processName);
      }
      member.process.signal("TERM");
    }
  }

  /** Whether a worker says that it is ready and runs all programs. */
  boolean isReady(String name) {
    Member member = members.get(name);
    return member != null
        && get(member.port, "/health/ready") != null
        && Objects.requireNonNullElse(get(member.port, "/metrics"), "")
                .lines()
                .filter(line -> line.startsWith("abacus_program_state"))
                .filter(line -> line.contains("state=\"RUNNING\"") && line.endsWith(" 1.0"))
                .count()
            >= options.programs.size();
  }

  /** What a worker answers; null if it does not, or with an error. */
  private @Nullable String get(int port, String path) {
    try {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                  .timeout(Duration.ofSeconds(2))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      return response.statusCode() == 200 ? response.body() : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Whether a process has ended, or was never started. */
  boolean ended(String name) {
    return !members.containsKey(name);
  }

  /** Notes which processes have ended; starts those again that ended without being told to. */
  void check() {
    for (Member member : List.copyOf(members.values())) {
      if (member.process.isAlive()) {
        continue;
      }
      members.remove(member.name);
      ends++;
      int code = member.process.exitCode();
      boolean told = member.leaving;
      boolean allowed =
          told
              ? code == 0 || (code == SIGTERM_CODE && member.leftBeforeMain)
              : code == 1 && (startedWithoutBrokers(member) || timedOut(lastError(member)));
      if (!allowed) {
        unexpectedEnds.add(
            "%s ended with exit code %d%s: %s"
                .formatted(
                    member.processName, code, told ? " after SIGTERM" : "", lastError(member)));
      }
      if (!told) {
        start(member.name);
      }
    }
  }

  /** Brokers that share an overloaded machine may not answer a process that starts in time. */
  private static boolean timedOut(String error) {
    return error.contains("Timed out");
  }

  /**
   * Until the main method runs, which writes to the log at once, the JVM itself handles SIGTERM.
   */
  private long logSize(String name) {
    Path log = folder.resolve(name + ".log");
    try {
      return Files.exists(log) ? Files.size(log) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last line of the log that states why a command failed; empty if there is none. */
  private String lastError(Member member) {
    try (Stream<String> lines =
        Files.lines(folder.resolve(member.name + ".log"), StandardCharsets.ISO_8859_1)) {
      return lines.filter(line -> line.startsWith("error: ")).reduce((_, last) -> last).orElse("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A process that finds no cluster at its start ends with exit code 1. */
  private boolean startedWithoutBrokers(Member member) {
    return brokers.count() == 1
        && incidents.stream()
            .anyMatch(incident ->
                incident.kind() == Kind.BROKER_KILLED
                    && incident.at() <= member.startedAt
                    && member.startedAt <= incident.at() + OUTAGE_MILLIS);
  }

  /** Kills a broker; nodes count from 1. */
  void killBroker(int node) {
    record(Kind.BROKER_KILLED, "broker-" + node);
    brokers.kill(node);
  }

  /** Starts a killed broker. */
  void startBroker(int node) {
    brokers.restart(node);
    incidents.add(
        new Incident(
            Kind.BROKER_KILLED,
            "broker-" + node,
            System.currentTimeMillis(),
            System.currentTimeMillis()));
  }

  /** Whether all processes ended only when told to, and with exit code 0 after SIGTERM. */
  Verdict processes() {
    return new Verdict(
        "processes",
        ends + starts.size(),
        unexpectedEnds.size(),
        unexpectedEnds.stream().limit(3).toList(),
        "every process lives or was ended; SIGTERM gives exit code 0");
  }

  @Override
  public void close() {
    members.values().forEach(member -> member.process.kill());
    brokers.close();
    http.shutdownNow();
  }
}

package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.Elapsed;
import dev.abacus.optimizer.governor.Workload;
import dev.abacus.optimizer.loop.event.Arrivals;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.monitor.SourceLag;
import dev.abacus.schemas.monitor.SourceLag.Arrived;
import dev.abacus.schemas.monitor.SourceOffsets;
import dev.abacus.schemas.program.Program.Source;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts what waits for the workers of all programs, so that a scaler can start the first worker,
 * and what arrives, so that searches know for how many documents their plans are. One thread counts
 * and then closes.
 */
final class BacklogWatch implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration UNTIL_LED = Duration.ofMillis(500);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  /** How often arrivals of {@link Arrivals#COUNTED} are counted, which change slowly. */
  private static final Duration BETWEEN_ARRIVALS = Duration.ofMinutes(1);

  /** What a query of offsets depends on. */
  private record Group(String application, Set<String> topics) {}

  private record Watched(Group group, SourceLag lag, BacklogCounter counter) {}

  private final Map<String, Instant> arrivalsAt = new HashMap<>();

  private final Supplier<Admin> connect;
  private final KafkaNames names;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final ControlPlaneState state;
  private final Clock clock;
  private final Map<String, Watched> programs = new HashMap<>();
  private @Nullable Admin admin;

  BacklogWatch(
      Supplier<Admin> connect,
      KafkaNames names,
      Supplier<Consumer<byte[], byte[]>> consumers,
      ControlPlaneState state,
      Clock clock) {
    this.connect = connect;
    this.names = names;
    this.consumers = consumers;
    this.state = state;
    this.clock = clock;
  }

  /** Counts once; returns the pause before the next time. */
  Duration step() throws InterruptedException {
    Admin client = admin;
    if (client == null) {
      client = connect.get();
      admin = client;
    }
    Admin connected = client;
    Map<String, Workload> workloads = state.workloads();
    programs.keySet().retainAll(workloads.keySet());
    arrivalsAt.keySet().retainAll(workloads.keySet());
    workloads.forEach((program, workload) ->
        programs.compute(program, (_, known) -> watched(connected, known, program, workload)));
    Map<SourceLag, SourceOffsets> offsetsOf =
        SourceLag.query(connected, programs.values().stream().map(Watched::lag).toList());
    for (Map.Entry<String, Watched> watched : programs.entrySet()) {
      String program = watched.getKey();
      SourceOffsets offsets = offsetsOf.get(watched.getValue().lag());
      Workload workload = Objects.requireNonNull(workloads.get(program));
      Backlog backlog =
          offsets == null
              ? null
              : watched.getValue().counter().count(workload, offsets, clock.instant());
      state.counted(program, backlog);
      if (backlog != null && workload.hasHorizon()) {
        countArrivals(program, watched.getValue().lag(), backlog.documents());
      }
    }
    return workloads.isEmpty() ? UNTIL_LED : INTERVAL;
  }

  /** Counts the documents of the last 30 days, once a minute. */
  private void countArrivals(String program, SourceLag lag, long waiting)
      throws InterruptedException {
    Instant now = clock.instant();
    Instant last = arrivalsAt.get(program);
    if (last != null && !Elapsed.isOver(BETWEEN_ARRIVALS, last, now)) {
      return;
    }
    arrivalsAt.put(program, now);
    Arrived arrived = lag.since(now.minus(Arrivals.COUNTED));
    state.arriving(
        program,
        arrived.records() == 0
            ? Arrivals.UNKNOWN
            : Arrivals.since(arrived.first(), now, arrived.records(), waiting));
  }

  private Watched watched(
      Admin client, @Nullable Watched known, String program, Workload workload) {
    String reported = workload.application();
    Group group =
        new Group(
            reported == null ? names.application(program) : reported,
            workload.sources().stream().map(Source::topic).collect(Collectors.toSet()));
    return known != null && known.group().equals(group)
        ? known
        : new Watched(
            group,
            new SourceLag(client, group.application(), group.topics()),
            new BacklogCounter(consumers));
  }

  @Override
  public void close() {
    if (admin != null) {
      admin.close(CLOSE_TIMEOUT);
    }
  }
}

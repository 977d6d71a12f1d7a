package dev.abacus.topology;

import dev.abacus.schemas.monitor.MonitorServer;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.runtime.RuntimeServices;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the Kafka Streams applications of one instance share. */
record StreamsServices(
    WorkerKafka kafka,
    RuntimeServices runtime,
    @Nullable SleepWatch sleep,
    @Nullable MonitorServer monitor,
    Supervisor supervisor,
    Clock clock) {

  /** Time without work after which an application sleeps, if it may. */
  Duration sleepAfter() {
    Duration after = Duration.ofMillis(kafka.config().getLong(WorkerConfig.SLEEP_AFTER_MS));
    return after.compareTo(SleepWatch.LOOK) < 0 ? SleepWatch.LOOK : after;
  }

  /** The registry for metrics of Kafka Streams; null if metrics are not served. */
  @Nullable MeterRegistry meters() {
    MonitorServer server = monitor;
    return server == null ? null : server.registry();
  }

  /** The supervisor of threads that serve one program: their failures are no matter of others. */
  Supervisor supervisor(String program) {
    return supervisor.of(program);
  }
}

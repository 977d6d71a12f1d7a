package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.Elapsed;
import dev.abacus.optimizer.loop.LoopStatus;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.monitor.LogContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when to report on a program: at once on a change, at most every 500 ms, and at an
 * interval.
 */
final class StatusReporter {

  private static final Logger LOG = LoggerFactory.getLogger(ProgramLoop.class);

  private static final Duration LEAST_INTERVAL = Duration.ofMillis(500);

  private final String program;
  private final KafkaNames names;
  private final Duration interval;
  private @Nullable Reported reported;
  private LoopStatus.@Nullable Phase logged;
  private Instant reportedAt = Instant.EPOCH;

  /** What is reported at once if it changes. */
  private record Reported(
      @Nullable LoopStatus status,
      @Nullable String failure,
      Corrections.@Nullable Status feedback,
      Reviews.@Nullable Status review) {}

  StatusReporter(String program, KafkaNames names, Duration interval) {
    this.names = names;
    this.program = program;
    this.interval = interval;
  }

  /** Logs a new phase of the search. */
  private void log(@Nullable LoopStatus status) {
    LoopStatus.Phase phase = status == null ? null : status.phase();
    if (phase != logged) {
      logged = phase;
      if (status == null) {
        LOG.info("Program '{}' was removed", program);
      } else {
        LOG.info(
            "Search for '{}' is {}: {}",
            program,
            status.phase(),
            LogContext.shortened(status.message()));
      }
    }
  }

  Optional<ProducerRecord<byte[], byte[]>> report(
      @Nullable LoopStatus status, RecordEncoder.SearchHealth health, Instant now) {
    Reported next =
        status == null
            ? new Reported(null, health.failure(), null, null)
            : new Reported(status, health.failure(), health.feedback(), health.review());
    boolean changed = !next.equals(reported);
    if (changed) {
      log(status);
    }
    boolean due =
        changed
            ? Elapsed.isOver(LEAST_INTERVAL, reportedAt, now)
            : (status != null || health.failure() != null)
                && Elapsed.isOver(interval, reportedAt, now);
    if (!due) {
      return Optional.empty();
    }
    reported = next;
    reportedAt = now;
    return Optional.of(new RecordEncoder(names).status(program, status, health, now));
  }
}

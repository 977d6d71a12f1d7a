package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.Governor;
import dev.abacus.optimizer.governor.GovernorSettings;
import dev.abacus.optimizer.governor.GovernorState;
import dev.abacus.optimizer.governor.Situation;
import dev.abacus.optimizer.loop.ProgramDeployment;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** The governor of one program, with what it remembers on the status topic. */
final class GovernorChannel {

  /** Last part of the status key, where an instance of the data plane has its own name. */
  static final String COMPONENT = "governor";

  /** Governing is cheap, but not for every turn. */
  private static final Duration PACE = Duration.ofMillis(500);

  private static final Duration LEAST_REPORT_INTERVAL = Duration.ofSeconds(2);

  private final String program;
  private final GovernorSettings settings;
  private Governor governor;
  private boolean acted;
  private boolean moved;
  private Instant decidedAt = Instant.EPOCH;
  private Instant reportedAt = Instant.EPOCH;

  GovernorChannel(String program, GovernorSettings settings) {
    this.program = program;
    this.settings = settings;
    this.governor = new Governor(settings, GovernorState.START);
  }

  /** Another governor's memory; after the first decision it is but an echo of this one's. */
  void restore(GovernorState state) {
    if (!acted) {
      governor = new Governor(settings, state);
    }
  }

  void take(InstanceStatus status) {
    governor.take(status);
  }

  List<ControlRecord> decide(ProgramDeployment standing, Instant now) {
    if (Duration.between(decidedAt, now).compareTo(PACE) < 0) {
      return List.of();
    }
    decidedAt = now;
    acted = true;
    List<ControlRecord> moves =
        governor.decide(
            new Situation(
                standing.program(),
                standing.active(),
                standing.plans(),
                standing.nextEpoch(),
                standing.pause(),
                standing.searching()),
            now);
    moved |= !moves.isEmpty();
    return moves;
  }

  /** Its memory, if it is time to write it; in the transaction of its moves. */
  @Nullable ProducerRecord<byte[], byte[]> report(Instant now) {
    boolean due = Duration.between(reportedAt, now).compareTo(LEAST_REPORT_INTERVAL) >= 0;
    if (!acted || !(moved || due)) {
      return null;
    }
    moved = false;
    reportedAt = now;
    return new ProducerRecord<>(
        Topics.STATUS,
        (program + "/" + COMPONENT).getBytes(StandardCharsets.UTF_8),
        Json.write(governor.state()));
  }
}

package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.Elapsed;
import dev.abacus.optimizer.governor.Governor;
import dev.abacus.optimizer.governor.GovernorSettings;
import dev.abacus.optimizer.governor.GovernorState;
import dev.abacus.optimizer.loop.ProgramDeployment;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** The governor of one program, with its state on the status topic. */
final class ProgramGovernor {

  /** Last part of the status key; instances of the data plane use their own name there. */
  static final String COMPONENT = "governor";

  private static final Duration LEAST_DECISION_INTERVAL = Duration.ofMillis(500);

  private static final Duration LEAST_REPORT_INTERVAL = Duration.ofSeconds(2);

  /** The same of a state that has not changed. */
  private static final Duration UNCHANGED_REPORT_INTERVAL = Duration.ofSeconds(20);

  private final String program;
  private final String topic;
  private final GovernorSettings settings;
  private Governor governor;
  private boolean decided;
  private boolean moved;
  private Instant decidedAt = Instant.EPOCH;
  private Instant reportedAt = Instant.EPOCH;
  private @Nullable GovernorState reported;

  ProgramGovernor(String program, KafkaSettings settings) {
    this.program = program;
    this.topic = settings.names().status();
    this.settings = settings.governor();
    this.governor = new Governor(this.settings, GovernorState.START);
  }

  /** Restores the state of an earlier leader. Ignored after the first decision. */
  void restore(GovernorState state) {
    if (!decided) {
      governor = new Governor(settings, state);
    }
  }

  /** Takes in a report of an instance of the data plane. */
  void take(InstanceStatus status) {
    governor.take(status);
  }

  /**
   * The governor's moves; empty within 500 ms of the last decision.
   *
   * @param corrected number of examples that were made of corrected results
   */
  List<ControlRecord> decide(ProgramDeployment deployment, int corrected, Instant now) {
    if (!Elapsed.isOver(LEAST_DECISION_INTERVAL, decidedAt, now)) {
      return List.of();
    }
    decidedAt = now;
    decided = true;
    List<ControlRecord> moves = governor.decide(deployment, corrected, now);
    moved |= !moves.isEmpty();
    return moves;
  }

  /** The governor itself, with the state of an earlier leader if there was one. */
  Governor governor() {
    return governor;
  }

  /**
   * The state record, if one is due, and tombstones for the reports of instances that are gone.
   * They belong into the transaction of the moves.
   */
  List<ProducerRecord<byte[], byte[]>> report(Instant now) {
    if (!decided || !(moved || Elapsed.isOver(LEAST_REPORT_INTERVAL, reportedAt, now))) {
      return List.of();
    }
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    governor.forget().forEach(instance -> records.add(record(instance, null)));
    GovernorState state = governor.state();
    if (moved
        || !state.equals(reported)
        || Elapsed.isOver(UNCHANGED_REPORT_INTERVAL, reportedAt, now)) {
      moved = false;
      reported = state;
      reportedAt = now;
      records.add(record(COMPONENT, Json.write(state)));
    }
    return records;
  }

  private ProducerRecord<byte[], byte[]> record(String component, byte @Nullable [] value) {
    return new ProducerRecord<>(
        topic, (program + "/" + component).getBytes(StandardCharsets.UTF_8), value);
  }
}

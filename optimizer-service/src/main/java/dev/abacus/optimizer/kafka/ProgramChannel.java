package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.loop.LoopAction;
import dev.abacus.optimizer.loop.LoopEvent;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.loop.LoopStatus;
import dev.abacus.optimizer.loop.OptimizerLoop;
import dev.abacus.optimizer.loop.ProgramDeployment;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Topics;
import dev.abacus.schemas.program.Program;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One program: its loop, its topics, and whether these have been read up to where they ended when
 * they were first looked at.
 */
final class ProgramChannel {

  private static final Logger LOG = LoggerFactory.getLogger(ProgramChannel.class);

  /** Status changes with every sample; more often than this nobody looks. */
  private static final Duration LEAST_STATUS_INTERVAL = Duration.ofMillis(500);

  private final String name;
  private final OptimizerLoop loop;
  private final Duration statusInterval;

  private @Nullable Program program;
  private boolean topicsKnown;

  /** Partitions of this program that are read. */
  private final Map<TopicPartition, Long> ends = new HashMap<>();

  private boolean caughtUp;

  /** What an internal error said; the program is left alone from then on. */
  private @Nullable String broken;

  private @Nullable Instant waitingSince;
  private long badRecords;
  private @Nullable LoopStatus reported;
  private Instant reportedAt = Instant.EPOCH;

  ProgramChannel(String name, LoopSettings settings, Duration statusInterval) {
    this.name = name;
    this.loop =
        new OptimizerLoop(
            name,
            settings,
            // Beside the thread that reads the topics, which must not stand still for a minute.
            fit -> Thread.ofPlatform().daemon().name("fit-" + name).start(fit));
    this.statusInterval = statusInterval;
  }

  /** The program as it was set last, without overrides; null if there is none. */
  @Nullable Program program() {
    return program;
  }

  /** Takes an event in; returns why it is refused, or null. */
  @Nullable String apply(LoopEvent event) {
    if (broken != null) {
      return null;
    }
    try {
      String refusal = loop.apply(event);
      if (refusal == null) {
        follow(event);
      }
      return refusal;
    } catch (RuntimeException e) {
      return breakDown(e);
    }
  }

  private void follow(LoopEvent event) {
    if (event instanceof LoopEvent.ControlSet(ControlRecord.ProgramSet(Program set))) {
      if (program != null
          && topicsKnown
          && !program.validation().topic().equals(set.validation().topic())) {
        throw new TopicsChangedException(name);
      }
      program = set;
      topicsKnown = false;
    } else if (event instanceof LoopEvent.ControlRemoved(ControlKey.ProgramKey _)) {
      program = null;
    }
  }

  private String breakDown(RuntimeException e) {
    if (e instanceof TopicsChangedException) {
      throw e;
    }
    LOG.error("The search for a plan of {} broke down; it is left alone until a restart", name, e);
    broken = "internal error: " + e;
    return broken;
  }

  /** Decodes a record of one of the program's own topics. */
  LoopEvent decode(RecordDecoder decoder, ConsumerRecord<byte[], byte[]> record)
      throws BadRecordException {
    if (record.topic().equals(Topics.samples(name))) {
      return decoder.sample(record);
    }
    if (record.topic().equals(Topics.observations(name))) {
      return decoder.observation(record, name);
    }
    if (program == null) {
      throw new BadRecordException("the program was removed");
    }
    return decoder.example(record, program);
  }

  void countBadRecord() {
    badRecords++;
  }

  /** Topics that are to be read; empty without a program. */
  Set<String> topics() {
    return program == null
        ? Set.of()
        : Set.of(program.validation().topic(), Topics.samples(name), Topics.observations(name));
  }

  boolean needsTopics() {
    return program != null && !topicsKnown && broken == null;
  }

  /** Looks for new partitions now and then. */
  void forgetTopics() {
    topicsKnown = false;
  }

  boolean reads(TopicPartition partition) {
    return ends.containsKey(partition);
  }

  /** These are read from the beginning, and up to these offsets before the loop acts. */
  void attach(Map<TopicPartition, Long> endOffsets) {
    ends.putAll(endOffsets);
    topicsKnown = true;
    caughtUp &= endOffsets.isEmpty();
  }

  private boolean isCaughtUp(Consumer<byte[], byte[]> consumer) {
    if (!caughtUp) {
      caughtUp =
          !ends.isEmpty()
              && ends.entrySet().stream()
                  .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
      if (caughtUp) {
        LOG.info("{}: read all samples and observations there are; the search goes on", name);
      }
    }
    return caughtUp;
  }

  /** What is to be done now; nothing before all topics were read. */
  List<LoopAction> decide(Consumer<byte[], byte[]> consumer, Instant now) {
    boolean ready = program == null || (topicsKnown && isCaughtUp(consumer));
    if (broken != null || !ready) {
      return List.of();
    }
    try {
      loop.apply(new LoopEvent.Tick(now));
      return loop.decide();
    } catch (RuntimeException e) {
      breakDown(e);
      return List.of();
    }
  }

  /** What a governor goes by; null before all topics were read, or without a program. */
  @Nullable ProgramDeployment standing() {
    return program == null || !caughtUp || broken != null ? null : loop.standing();
  }

  /** Whether the search has been waiting for validation examples for so long; true once. */
  boolean hasWaited(Duration longEnough, Instant now) {
    LoopStatus status = loop.status();
    if (status == null || status.phase() != LoopStatus.Phase.WAITING_FOR_EXAMPLES) {
      waitingSince = null;
    } else if (waitingSince == null) {
      waitingSince = now;
    } else if (Duration.between(waitingSince, now).compareTo(longEnough) >= 0) {
      waitingSince = now;
      return true;
    }
    return false;
  }

  /** The state to report, if it is time to; else null. */
  @Nullable ProducerRecord<byte[], byte[]> report(Instant now) {
    LoopStatus status = loop.status();
    Duration since = Duration.between(reportedAt, now);
    boolean first = reportedAt.equals(Instant.EPOCH);
    boolean changed = status == null ? reported != null || first : !status.equals(reported);
    boolean due =
        changed
            ? since.compareTo(LEAST_STATUS_INTERVAL) >= 0
            : status != null && since.compareTo(statusInterval) >= 0;
    boolean known = program == null || status != null;
    if (!due || !known) {
      return null;
    }
    reported = status;
    reportedAt = now;
    return RecordEncoder.status(name, status, badRecords, now);
  }
}

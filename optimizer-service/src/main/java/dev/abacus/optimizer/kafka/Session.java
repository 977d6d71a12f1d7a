package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.Elapsed;
import dev.abacus.optimizer.loop.ProgramDeployment;
import dev.abacus.optimizer.loop.event.Arrivals;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.monitor.LogContext;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.supervision.Supervisor;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of one connection to Kafka. Each turn consumes records ({@link TopicReader}), folds them
 * into loops and governors ({@link RecordFold}), lets these decide, and publishes the decisions in
 * one transaction ({@link Outbox}), a plan before its activation. Nothing is decided before all
 * records that existed at the start are read.
 *
 * <p>If a transaction fails the session is over. The loops have already taken in their decisions,
 * so the next session folds new loops from the topics.
 *
 * <p>Not thread-safe.
 */
final class Session {

  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  /** Time between two turns without records while a search waits for more than records. */
  private static final Duration TURN = Duration.ofMillis(100);

  /** The same while no program searches. A record that is no report ends the wait at once. */
  private static final Duration IDLE_TURN = Duration.ofSeconds(1);

  private final KafkaSettings settings;
  private final Clients clients;
  private final StreamExamples streamExamples;
  private final ControlPlaneState state;
  private final Supervisor supervisor;
  private final RefusedPrograms refusals;
  private final Clock clock;
  private final TopicReader reader;
  private final RecordEncoder encoder;
  private final Outbox outbox;
  private final RecordFold fold;
  private final ProgramTopics topics;
  private Instant decidedAt = Instant.EPOCH;

  /** Whether something came that is not to wait: every worker reports on every program. */
  private boolean urgent;

  Session(
      KafkaSettings settings,
      Clients clients,
      RecordDecoder decoder,
      StreamExamples streamExamples,
      ControlPlaneState state,
      Supervisor supervisor,
      RefusedPrograms refusals,
      Clock clock) {
    this.settings = settings;
    this.clients = clients;
    this.streamExamples = streamExamples;
    this.state = state;
    this.supervisor = supervisor;
    this.refusals = refusals;
    this.clock = clock;
    this.reader = new TopicReader(clients.consumer(), settings.names());
    this.encoder = new RecordEncoder(settings.names());
    this.outbox = new Outbox(clients.producer(), settings.names());
    this.fold = new RecordFold(settings, decoder, outbox, refusals, clock);
    this.topics = new ProgramTopics(clients.topics(), reader, supervisor, clock.instant());
  }

  /** Fences an earlier leader and starts to read. */
  void open() {
    clients.topics().createShared();
    outbox.open();
    reader.open();
  }

  /** Whether all programs that existed at the start are known. */
  boolean isReady() {
    return reader.hasReadControl();
  }

  /**
   * Consumes, folds, decides and publishes once.
   *
   * @throws TopicsChangedException if a program reads a topic no more; a new session then reads all
   *     topics again
   * @throws RefusedRecordException if Kafka refuses a record for good
   * @throws KafkaException if the connection is lost or another leader has taken over
   */
  void turn() {
    boolean busy = fold.loops().stream().anyMatch(ProgramLoop::isBusy);
    urgent |= busy;
    for (ConsumerRecord<byte[], byte[]> record : reader.poll(busy ? TURN : IDLE_TURN)) {
      fold.apply(record);
      urgent |= !record.topic().equals(settings.names().status());
    }
    Instant now = clock.instant();
    // The control topic returns this session's records in their final order, with records of users
    // between them. Until then an older record would be read as the newest.
    if (reader.hasReadDesiredState()
        && reader.hasReadControl(outbox.lastControlOffset())
        && (urgent || Elapsed.isOver(IDLE_TURN, decidedAt, now))) {
      urgent = false;
      decidedAt = now;
      fold.controlRead();
      topics.attach(fold.loops(), now);
      fold.loops()
          .forEach(loop -> {
            try (LogContext _ = LogContext.ofProgram(loop.name())) {
              decide(loop, now);
            }
          });
    }
    outbox.commit();
  }

  private void decide(ProgramLoop loop, Instant now) {
    String denied = topics.denial(loop.name());
    if (denied == null && refusals.reason(loop.name(), now) == null) {
      fold.readAgain(loop);
    }
    String refused = denied == null ? refusals.reason(loop.name(), now) : denied;
    try {
      if (refused == null && !loop.hasFailed()) {
        act(loop, now);
      }
      show(loop, refused, now);
    } catch (KafkaException e) {
      throw e;
    } catch (RuntimeException e) {
      loop.fail(e);
      show(loop, refused, now);
    }
  }

  private void show(ProgramLoop loop, @Nullable String refused, Instant now) {
    state.report(loop.name(), loop.status());
    ProgramGovernor governor = fold.governor(loop.name());
    ProgramDeployment deployment = loop.deployment();
    state.works(
        loop.name(), deployment == null ? null : governor.governor().workload(deployment, now));
    if (loop.hasFailed()) {
      state.failed(loop.name());
    }
    // A report that is refused has no program: it would be refused again at once.
    loop.report(supervisor.threads(), governor.governor(), refused, now)
        .ifPresent(report -> outbox.add(null, report));
  }

  private void act(ProgramLoop loop, Instant now) {
    for (LoopEvent.Caused caused : loop.decide(reader, now)) {
      if (caused instanceof LoopEvent.ControlSet(ControlRecord record)) {
        tell("Optimizer", record); // the others are too many for the story
      }
      outbox.add(loop.name(), encoder.encode(loop.name(), caused));
    }
    if (loop.mayReadSources(now)) {
      try {
        readSources(loop, now);
      } catch (KafkaException e) {
        // They are not the sources of all programs.
        LOG.warn("Documents of the sources cannot be read: {}; tries again", e.getMessage());
        loop.sourcesFailed(now);
      }
    }
    loop.review(now).forEach(request -> outbox.add(loop.name(), request));
    govern(loop, now);
    loop.learnt().forEach(learnt -> publish(loop, learnt, "Learner from live documents"));
  }

  /** Makes examples of documents of the sources. */
  private void readSources(ProgramLoop loop, Instant now) {
    if (loop.hasWaitedForExamples(settings.examples().after(), now)) {
      copyExamples(loop);
    }
    loop.nextCorrections().forEach(result -> correct(loop, result));
    loop.nextLive(streamExamples, now).forEach(example -> write(loop, example));
  }

  private void copyExamples(ProgramLoop loop) {
    Program program = loop.program();
    if (program != null && settings.examples().fromSource() > 0) {
      List<ProducerRecord<byte[], byte[]>> examples = streamExamples.of(program, loop::example);
      if (!examples.isEmpty()) {
        LOG.info(
            "{} has no validation examples; copied {} documents of its sources",
            program.name(),
            examples.size());
      }
      examples.forEach(example -> write(loop, example));
    }
  }

  private void correct(ProgramLoop loop, CorrectedResult result) {
    Program program = loop.program();
    if (program == null) {
      return;
    }
    loop.corrections().add(result); // Should its document not be readable, the others go first.
    try {
      Instant asked = loop.reviews().askedAt(result.exampleId());
      write(loop, streamExamples.of(program, result, loop.selection(result), asked));
    } catch (BadRecordException e) {
      fold.refuse(loop, result.record(), e);
    }
    loop.corrections().done(result);
  }

  /** Writes an example or its removal, which counts from now on: later records depend on it. */
  private void write(ProgramLoop loop, ProducerRecord<byte[], byte[]> example) {
    outbox.add(loop.name(), example);
    fold.written(loop, example);
  }

  private void govern(ProgramLoop loop, Instant now) {
    ProgramDeployment deployment = loop.deployment();
    if (deployment == null || !reader.hasReadStatus()) {
      return;
    }
    ProgramGovernor governor = fold.governor(deployment.program().name());
    governor
        .decide(deployment, loop.corrections().examples(), now)
        .forEach(move -> publish(loop, move, "Governor"));
    var _ = loop.apply(new LoopEvent.Judged(governor.governor().judged(deployment)));
    Arrivals arrivals = state.arrivals(loop.name());
    if (arrivals != null) {
      var _ = loop.apply(new LoopEvent.Arriving(arrivals));
    }
    governor.report(now).forEach(report -> outbox.add(null, report));
  }

  /** Publishes a record unless the loop refuses it. */
  private void publish(ProgramLoop loop, ControlRecord record, String author) {
    LoopEvent.ControlSet set = new LoopEvent.ControlSet(record);
    String refusal = loop.apply(set);
    if (refusal == null) {
      tell(author, record);
      outbox.add(loop.name(), encoder.encode(loop.name(), set));
    } else {
      LOG.warn(
          "{} of '{}': '{}' is refused: {}",
          author,
          loop.name(),
          LogContext.shortened(record.describe()),
          refusal);
    }
  }

  private static void tell(String author, ControlRecord record) {
    LOG.info(
        "{} of '{}' {}", author, record.key().program(), LogContext.shortened(record.describe()));
  }
}

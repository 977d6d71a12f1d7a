package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.GovernorState;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.sampling.prior.LearnedKey;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.control.Restoration;
import dev.abacus.schemas.control.StatusReports;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.monitor.LogContext;
import dev.abacus.schemas.program.Program;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folds records into the loops and governors of all programs. A record that cannot be used changes
 * nothing: it is rejected with a reason, or skipped, and the next record is read.
 */
final class RecordFold {

  private static final Logger LOG = LoggerFactory.getLogger(RecordFold.class);

  /** Longest key and reason of a rejection. */
  private static final int LONGEST_TEXT = 10_000;

  private final KafkaSettings settings;
  private final KafkaNames names;
  private final RecordDecoder decoder;

  /** Rejections on the topic, as {@code KEY@OFFSET}: they are not repeated. */
  private final Set<String> rejections = new HashSet<>();

  private final Outbox outbox;

  private final SortedMap<String, ProgramLoop> loops = new TreeMap<>();
  private final Map<String, ProgramGovernor> governors = new HashMap<>();

  private final ControlValues values;
  private final ControlCheck check;

  /** Refused control records by offset, until the control topic is read to its end. */
  private final SortedMap<Long, Refused> refusedAtStart = new TreeMap<>();

  /** Rejections of other topics, until the rejections topic is read to its end. */
  private final List<Runnable> rejectionsAtStart = new ArrayList<>();

  private boolean controlRead;

  /** By program, records that wait for the schema registry, and those of users behind them. */
  private final Map<String, List<ConsumerRecord<byte[], byte[]>>> unread = new HashMap<>();

  private final RefusedPrograms refusals;
  private final Clock clock;

  /** A refused record. */
  private record Refused(ConsumerRecord<byte[], byte[]> record, BadRecordException reason) {}

  /** Learned operators and priors by key, for programs that are created later. */
  private final Map<LearnedKey, LoopEvent> learned = new LinkedHashMap<>();

  /**
   * Starts without any program.
   *
   * @param outbox receives rejections
   * @param refusals receives programs of which a record cannot be read now
   */
  RecordFold(
      KafkaSettings settings,
      RecordDecoder decoder,
      Outbox outbox,
      RefusedPrograms refusals,
      Clock clock) {
    this.settings = settings;
    this.names = settings.names();
    this.values = new ControlValues(names.control());
    this.check = new ControlCheck(settings);
    this.decoder = decoder;
    this.outbox = outbox;
    this.refusals = refusals;
    this.clock = clock;
  }

  /** The loops of all programs, in order of the programs' names. */
  Collection<ProgramLoop> loops() {
    return loops.values();
  }

  /** The governor of a program. */
  ProgramGovernor governor(String program) {
    return governors.computeIfAbsent(program, name -> new ProgramGovernor(name, settings));
  }

  /**
   * Takes in one record of any topic.
   *
   * @throws TopicsChangedException if a program reads a topic no more
   */
  void apply(ConsumerRecord<byte[], byte[]> record) {
    String topic = record.topic();
    if (topic.equals(names.control())) {
      apply(record, this::control);
    } else if (topic.equals(names.status())) {
      apply(record, this::status);
    } else if (topic.equals(names.learnt())) {
      apply(record, this::learned);
    } else if (topic.equals(names.rejections())) {
      apply(record, this::rejected);
    } else {
      loops.values().stream()
          .filter(loop -> loop.topics().contains(topic))
          .forEach(loop -> apply(record, of -> programRecord(loop, of)));
    }
  }

  /** Tries the records of a program again that wait for the schema registry. */
  void readAgain(ProgramLoop loop) {
    List<ConsumerRecord<byte[], byte[]>> waiting = unread.remove(loop.name());
    if (waiting != null) {
      waiting.forEach(record -> apply(record, of -> programRecord(loop, of)));
    }
  }

  private void apply(
      ConsumerRecord<byte[], byte[]> record, Consumer<ConsumerRecord<byte[], byte[]>> fold) {
    try {
      fold.accept(record);
    } catch (KafkaException | TopicsChangedException e) {
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      // A record must not stop the optimizer. Reading the topics again would end in the same way.
      LOG.error("Cannot apply {}; skips the record", RecordPosition.of(record), e);
      reject(record, RecordText.key(record), new BadRecordException("cannot be applied: " + e));
    }
  }

  private void control(ConsumerRecord<byte[], byte[]> record) {
    String path = RecordText.key(record);
    if (values.isStale(path, record)) {
      // A user was faster than the restoration. Compaction must keep the user's record.
      refuse(record, path, new BadRecordException("a later record replaces the value"));
      return;
    }
    try {
      ControlKey key = decoder.controlKey(record);
      LoopEvent event = decoder.control(key, record);
      ProgramLoop loop = loops.computeIfAbsent(key.program(), this::newLoop);
      accept(check.mistake(event, loop.program(), programs(), controlRead));
      if (!values.isKnown(path, record)) {
        accept(loop.apply(event));
        keepActivation(key, record, loop);
      }
      values.accept(
          path, record, event instanceof LoopEvent.ControlSet(ControlRecord set) ? set : null);
      Restoration restored = Restoration.of(record.headers());
      if (restored != null) {
        // An earlier leader has rejected the records up to this one and restored the value.
        refusedAtStart
            .values()
            .removeIf(refused ->
                RecordText.key(refused.record()).equals(path)
                    && refused.record().offset() <= restored.refused());
      }
    } catch (BadRecordException e) {
      refuse(record, path, e);
    }
  }

  private void refuse(
      ConsumerRecord<byte[], byte[]> record, String path, BadRecordException reason) {
    if (!controlRead) {
      refusedAtStart.put(record.offset(), new Refused(record, reason));
      return;
    }
    if (Restoration.of(record.headers()) == null) {
      reject(record, path, reason);
    }
    ProducerRecord<byte[], byte[]> restoration = values.restoration(path, record.offset());
    if (restoration != null) {
      LOG.info("Restores the control record '{}' behind offset {}", path, record.offset());
      outbox.add(null, restoration);
    }
  }

  /**
   * A restored program, objective or token stands behind an activation that followed its first
   * writing. The activation is the newer decision.
   */
  private void keepActivation(
      ControlKey key, ConsumerRecord<byte[], byte[]> record, ProgramLoop loop) {
    Restoration restored = Restoration.of(record.headers());
    ControlKey.ActiveKey active = new ControlKey.ActiveKey(key.program());
    ControlRecord.@Nullable Activated activated = loop.active();
    if (restored != null
        && activated != null
        && values.originalOffset(active) > restored.original()) {
      var _ = loop.apply(new LoopEvent.ControlSet(activated));
    }
  }

  /**
   * Tells that the control and the rejections topic are read to their ends. Records that were
   * refused until now are tried again, because they may refer to restored records behind them.
   */
  void controlRead() {
    if (controlRead) {
      return;
    }
    controlRead = true;
    rejectionsAtStart.forEach(Runnable::run);
    rejectionsAtStart.clear();
    List<Refused> refused = List.copyOf(refusedAtStart.values());
    refusedAtStart.clear();
    for (Refused earlier : refused) {
      String path = RecordText.key(earlier.record());
      if (values.isReplaced(path, earlier.record().offset())) {
        refuse(earlier.record(), path, earlier.reason());
      } else {
        control(earlier.record());
      }
    }
  }

  private void rejected(ConsumerRecord<byte[], byte[]> record) {
    try {
      if (record.value() != null) {
        Rejection rejection = Json.read(record.value(), Rejection.class);
        rejections.add(rejection.key() + "@" + rejection.offset());
      }
    } catch (MalformedRecordException e) {
      LOG.debug("Skipped a record of the rejections topic: {}", e.getMessage());
    }
  }

  private List<Program> programs() {
    return loops.values().stream().map(ProgramLoop::program).filter(Objects::nonNull).toList();
  }

  private ProgramLoop newLoop(String program) {
    ProgramLoop loop = new ProgramLoop(program, settings);
    learned.forEach((key, event) -> {
      if (concerns(key, program)) {
        var _ = loop.apply(event);
      }
    });
    return loop;
  }

  private void learned(ConsumerRecord<byte[], byte[]> record) {
    try {
      LearnedKey key = decoder.learnedKey(record);
      LoopEvent event = decoder.learned(key, record);
      for (Map.Entry<String, ProgramLoop> loop : loops.entrySet()) {
        if (concerns(key, loop.getKey())) {
          accept(loop.getValue().apply(event));
        }
      }
      learned.put(key, event);
    } catch (BadRecordException e) {
      reject(record, RecordText.key(record), e);
    }
  }

  /** Learned operators concern all programs, priors one. */
  private static boolean concerns(LearnedKey key, String program) {
    return key instanceof LearnedKey.ByOperator || key.program().equals(program);
  }

  private void status(ConsumerRecord<byte[], byte[]> record) {
    String key = RecordText.key(record);
    int slash = key.indexOf('/');
    if (slash < 0 || record.value() == null || key.endsWith("/" + RecordEncoder.COMPONENT)) {
      return;
    }
    ProgramGovernor governor = governor(key.substring(0, slash));
    try {
      if (key.substring(slash + 1).equals(ProgramGovernor.COMPONENT)) {
        governor.restore(Json.read(record.value(), GovernorState.class));
      } else {
        InstanceStatus status = StatusReports.read(record);
        if (key.equals(status.program() + "/" + status.instance())) {
          governor.take(status);
          ProgramLoop loop = loops.get(status.program());
          if (loop != null) {
            var _ = loop.apply(new LoopEvent.WorkerReported(status));
          }
        }
      }
    } catch (MalformedRecordException e) {
      LOG.debug("Skipped status record {}: {}", key, e.getMessage());
    }
  }

  private void programRecord(ProgramLoop loop, ConsumerRecord<byte[], byte[]> record) {
    if (record.headers().lastHeader(Headers.REPLAY) != null) {
      return; // A task of `abacus replay`.
    }
    List<ConsumerRecord<byte[], byte[]>> waiting = unread.get(loop.name());
    if (waiting != null && loop.isOfUsers(record.topic())) {
      waiting.add(record);
      return;
    }
    try {
      accept(loop.take(decoder, record));
    } catch (SerializationException e) {
      unread.put(loop.name(), new ArrayList<>(List.of(record)));
      String cause = "%s cannot be read: %s".formatted(RecordPosition.of(record), e.getMessage());
      LOG.warn("Nothing is decided for program '{}' for a while: {}", loop.name(), cause);
      refusals.refused(loop.name(), cause, clock.instant());
    } catch (BadRecordException e) {
      if (loop.isFeedback(record.topic())) {
        refuse(loop, record, e); // Corrected results are counted by themselves.
        return;
      }
      String problem =
          "%s: %s".formatted(RecordPosition.of(record), LogContext.shortened(e.getMessage()));
      loop.countBadRecord(problem);
      Program program = loop.program();
      boolean isExample = program != null && record.topic().equals(names.validation(program));
      if (isExample) {
        reject(record, record.topic() + "/" + RecordText.key(record), e);
      } else {
        LOG.warn("Skipped {}", problem);
      }
    }
  }

  /** Takes in an example that is being written; it is read later once more. */
  void written(ProgramLoop loop, ProducerRecord<byte[], byte[]> example) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>(example.topic(), 0, 0, example.key(), example.value());
    example.headers().forEach(record.headers()::add);
    programRecord(loop, record);
  }

  /** Rejects a corrected result that cannot be used. */
  void refuse(ProgramLoop loop, ConsumerRecord<byte[], byte[]> record, BadRecordException e) {
    loop.corrections().refused(String.valueOf(e.getMessage()));
    reject(record, record.topic() + "/" + RecordText.key(record), e);
  }

  private static void accept(@Nullable String refusal) throws BadRecordException {
    if (refusal != null) {
      throw new BadRecordException(refusal);
    }
  }

  /** A text as a record may have it whatever a user wrote: Kafka would refuse a larger one. */
  private static String bounded(String text) {
    return text.length() <= LONGEST_TEXT ? text : LogContext.shortened(text);
  }

  private void reject(ConsumerRecord<byte[], byte[]> record, String key, BadRecordException e) {
    if (!controlRead) {
      rejectionsAtStart.add(() -> reject(record, key, e));
      return;
    }
    String shown = bounded(key);
    if (!rejections.remove(shown + "@" + record.offset())) {
      LOG.warn(
          "Record '{}' at {} is refused: {}",
          LogContext.shortened(shown),
          RecordPosition.of(record),
          LogContext.shortened(e.getMessage()));
      outbox.add(
          null,
          new RecordEncoder(names)
              .encode(
                  new Rejection(
                      shown,
                      bounded(String.valueOf(e.getMessage())),
                      record.offset(),
                      RecordEncoder.COMPONENT)));
    }
  }
}

package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.GovernorState;
import dev.abacus.optimizer.loop.LoopAction;
import dev.abacus.optimizer.loop.LoopEvent;
import dev.abacus.optimizer.loop.ProgramDeployment;
import dev.abacus.optimizer.sampling.prior.LearntKey;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.Topics;
import dev.abacus.schemas.program.Program;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From one connection to its loss: reads the control topic and the topics of every program from the
 * beginning, and acts when it has seen all there was.
 *
 * <p>What the loops decide in one turn is written in one transaction, a plan before its activation.
 * If that fails the session is over: the loops have taken their decisions for done, so the next
 * session builds them anew from what really stands on the topics.
 *
 * <p>Used by one thread.
 */
final class Session {

  private static final Logger LOG = LoggerFactory.getLogger(Session.class);
  private static final TopicPartition CONTROL = new TopicPartition(Topics.CONTROL, 0);
  private static final TopicPartition LEARNT = new TopicPartition(Topics.LEARNT, 0);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long STATUSES_READ = 20_000;
  private static final Duration TOPIC_CHECK = Duration.ofSeconds(30);

  private final ExchangeSettings settings;
  private final Consumer<byte[], byte[]> consumer;
  private final Producer<byte[], byte[]> producer;
  private final SearchTopics topics;
  private final RecordDecoder decoder;
  private final StreamExamples streamExamples;
  private final RejectionLog rejections;
  private final Clock clock;

  private final SortedMap<String, ProgramChannel> channels = new TreeMap<>();
  private final Map<String, GovernorChannel> governors = new HashMap<>();
  private final Map<TopicPartition, Long> statusEnds = new HashMap<>();
  private boolean statusRead;
  private final List<ProducerRecord<byte[], byte[]>> outbox = new ArrayList<>();
  private long controlEnd;

  /** What was learnt and is believed, by its key: programs that come later are told as well. */
  private final Map<LearntKey, LoopEvent> learnt = new LinkedHashMap<>();

  private long learntEnd;
  private boolean learntRead;

  /** Offset of the last record that this session wrote to the control topic. */
  private long ownControl = -1;

  private boolean controlRead;
  private Instant topicsChecked = Instant.EPOCH;

  Session(
      ExchangeSettings settings,
      Consumer<byte[], byte[]> consumer,
      Producer<byte[], byte[]> producer,
      SearchTopics topics,
      RecordDecoder decoder,
      StreamExamples streamExamples,
      RejectionLog rejections,
      Clock clock) {
    this.settings = settings;
    this.consumer = consumer;
    this.producer = producer;
    this.topics = topics;
    this.decoder = decoder;
    this.streamExamples = streamExamples;
    this.rejections = rejections;
    this.clock = clock;
  }

  /** Fences an older control plane, and starts to read. */
  void open() {
    topics.createShared();
    producer.initTransactions();
    Set<TopicPartition> statuses = new HashSet<>();
    List<PartitionInfo> infos = partitions(Topics.STATUS);
    if (infos != null) {
      infos.forEach(info -> statuses.add(new TopicPartition(Topics.STATUS, info.partition())));
    }
    Set<TopicPartition> first = new HashSet<>(statuses);
    first.add(CONTROL);
    first.add(LEARNT);
    consumer.assign(first);
    consumer.seekToBeginning(first);
    statusEnds.putAll(consumer.endOffsets(statuses));
    // Whoever lives reports every few seconds; what was long ago is of no interest.
    consumer
        .beginningOffsets(statuses)
        .forEach((partition, begin) ->
            consumer.seek(
                partition,
                Math.max(begin, statusEnds.getOrDefault(partition, 0L) - STATUSES_READ)));
    Map<TopicPartition, Long> ends = consumer.endOffsets(Set.of(CONTROL, LEARNT));
    controlEnd = ends.getOrDefault(CONTROL, 0L);
    learntEnd = ends.getOrDefault(LEARNT, 0L);
    topicsChecked = clock.instant();
  }

  /** Whether the control topic has been read, so that all programs are known. */
  boolean controlRead() {
    return controlRead;
  }

  /** Reads what has come, decides, and writes what was decided. */
  void turn() {
    consumer.poll(POLL).forEach(this::dispatch);
    controlRead |= consumer.position(CONTROL) >= controlEnd;
    // Own records come back in the order of the topic, where those of others may stand between.
    // Until then nothing is decided: an older one, read late, would pass for the newest.
    learntRead |= consumer.position(LEARNT) >= learntEnd;
    if (controlRead && learntRead && consumer.position(CONTROL) > ownControl) {
      attachTopics();
      Instant now = clock.instant();
      statusRead |=
          statusEnds.entrySet().stream()
              .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
      for (ProgramChannel channel : channels.values()) {
        for (LoopAction action : channel.decide(consumer, now)) {
          outbox.add(RecordEncoder.encode(action));
        }
        if (channel.hasWaited(settings.streamExamplesAfter(), now)) {
          copyExamples(channel);
        }
        govern(channel, now);
        ProducerRecord<byte[], byte[]> status = channel.report(now);
        if (status != null) {
          outbox.add(status);
        }
      }
    }
    flush();
  }

  private void copyExamples(ProgramChannel channel) {
    Program program = channel.program();
    if (program != null && settings.streamExamples() > 0) {
      List<ProducerRecord<byte[], byte[]>> examples = streamExamples.of(program);
      if (!examples.isEmpty()) {
        LOG.info(
            "{} has no validation examples; it is sampled on {} of its documents",
            program.name(),
            examples.size());
      }
      outbox.addAll(examples);
    }
  }

  private void govern(ProgramChannel channel, Instant now) {
    ProgramDeployment standing = channel.standing();
    if (standing == null || !statusRead) {
      return;
    }
    GovernorChannel governor = governor(standing.program().name());
    for (ControlRecord move : governor.decide(standing, now)) {
      String refusal = channel.apply(new LoopEvent.ControlSet(move));
      if (refusal == null) {
        LOG.info("The governor moves {}: {}", standing.program().name(), move);
        outbox.add(RecordEncoder.encode(new LoopAction.Publish(move)));
      } else {
        LOG.warn("The governor's move {} is refused: {}", move, refusal);
      }
    }
    ProducerRecord<byte[], byte[]> memory = governor.report(now);
    if (memory != null) {
      outbox.add(memory);
    }
  }

  private GovernorChannel governor(String program) {
    return governors.computeIfAbsent(
        program, name -> new GovernorChannel(name, settings.governor()));
  }

  private void status(ConsumerRecord<byte[], byte[]> record) {
    String key = keyText(record);
    int slash = key.indexOf('/');
    if (slash < 0 || record.value() == null || key.endsWith("/" + RecordEncoder.COMPONENT)) {
      return;
    }
    GovernorChannel governor = governor(key.substring(0, slash));
    try {
      if (key.substring(slash + 1).equals(GovernorChannel.COMPONENT)) {
        governor.restore(Json.read(record.value(), GovernorState.class));
      } else {
        governor.take(Json.read(record.value(), InstanceStatus.class));
      }
    } catch (MalformedRecordException e) {
      LOG.debug("{} is passed over: {}", key, e.getMessage());
    }
  }

  private void flush() {
    if (outbox.isEmpty()) {
      return;
    }
    producer.beginTransaction();
    List<Future<RecordMetadata>> control = new ArrayList<>();
    for (ProducerRecord<byte[], byte[]> record : outbox) {
      // A failed send fails the commit.
      Future<RecordMetadata> sent = producer.send(record);
      if (record.topic().equals(Topics.CONTROL)) {
        control.add(sent);
      }
    }
    producer.commitTransaction();
    outbox.clear();
    control.forEach(sent -> ownControl = Math.max(ownControl, sent.resultNow().offset()));
  }

  private void dispatch(ConsumerRecord<byte[], byte[]> record) {
    if (record.topic().equals(Topics.CONTROL)) {
      control(record);
      return;
    }
    if (record.topic().equals(Topics.STATUS)) {
      status(record);
      return;
    }
    if (record.topic().equals(Topics.LEARNT)) {
      learnt(record);
      return;
    }
    for (ProgramChannel channel : channels.values()) {
      if (channel.topics().contains(record.topic())) {
        try {
          String refusal = channel.apply(channel.decode(decoder, record));
          if (refusal != null) {
            throw new BadRecordException(refusal);
          }
        } catch (BadRecordException e) {
          refuseSample(channel, record, e);
        }
      }
    }
  }

  private void control(ConsumerRecord<byte[], byte[]> record) {
    try {
      ControlKey key = decoder.controlKey(record);
      LoopEvent event = decoder.control(key, record);
      String refusal = channels.computeIfAbsent(key.program(), this::channel).apply(event);
      if (refusal != null) {
        throw new BadRecordException(refusal);
      }
    } catch (BadRecordException e) {
      reject(record, keyText(record), e);
    }
  }

  private ProgramChannel channel(String name) {
    ProgramChannel channel = new ProgramChannel(name, settings.loop(), settings.statusInterval());
    learnt.forEach((key, event) -> tell(channel, name, key, event));
    return channel;
  }

  private void learnt(ConsumerRecord<byte[], byte[]> record) {
    try {
      LearntKey key = decoder.learntKey(record);
      LoopEvent event = decoder.learnt(key, record);
      for (Map.Entry<String, ProgramChannel> channel : channels.entrySet()) {
        String refusal = tell(channel.getValue(), channel.getKey(), key, event);
        if (refusal != null) {
          throw new BadRecordException(refusal);
        }
      }
      learnt.put(key, event);
    } catch (BadRecordException e) {
      reject(record, keyText(record), e);
    }
  }

  /** Lessons are for all programs, beliefs for one. */
  private static @Nullable String tell(
      ProgramChannel channel, String name, LearntKey key, LoopEvent event) {
    return key instanceof LearntKey.Learnt || key.program().equals(name)
        ? channel.apply(event)
        : null;
  }

  private void refuseSample(
      ProgramChannel channel, ConsumerRecord<byte[], byte[]> record, BadRecordException e) {
    channel.countBadRecord();
    Program program = channel.program();
    if (program != null && record.topic().equals(program.validation().topic())) {
      reject(record, record.topic() + "/" + keyText(record), e);
    } else {
      LOG.warn(
          "{}-{}@{} is passed over: {}",
          record.topic(),
          record.partition(),
          record.offset(),
          e.getMessage());
    }
  }

  private void reject(ConsumerRecord<byte[], byte[]> record, String key, BadRecordException e) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    if (rejections.isNew(partition, record.offset())) {
      LOG.warn("{}@{} ({}) is refused: {}", partition, record.offset(), key, e.getMessage());
      outbox.add(
          RecordEncoder.encode(
              new Rejection(
                  key, String.valueOf(e.getMessage()), record.offset(), RecordEncoder.COMPONENT)));
    }
  }

  private static String keyText(ConsumerRecord<byte[], byte[]> record) {
    return record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
  }

  private void attachTopics() {
    Instant now = clock.instant();
    if (Duration.between(topicsChecked, now).compareTo(TOPIC_CHECK) > 0) {
      topicsChecked = now;
      channels.values().forEach(ProgramChannel::forgetTopics);
    }
    for (ProgramChannel channel : channels.values()) {
      Program program = channel.program();
      if (program != null && channel.needsTopics()) {
        attach(channel, program);
      }
    }
  }

  private void attach(ProgramChannel channel, Program program) {
    try {
      topics.createFor(program);
    } catch (InvalidTopicException e) {
      LOG.warn("The topics of program {} cannot be created: {}", program.name(), e.getMessage());
      return;
    }
    Set<TopicPartition> added = new HashSet<>();
    for (String topic : channel.topics()) {
      List<PartitionInfo> partitions = partitions(topic);
      if (partitions == null) {
        return; // Not known to the broker yet; the next turn tries again.
      }
      partitions.stream()
          .map(partition -> new TopicPartition(topic, partition.partition()))
          .filter(partition -> !channel.reads(partition))
          .forEach(added::add);
    }
    if (!added.isEmpty()) {
      Set<TopicPartition> all = new HashSet<>(consumer.assignment());
      all.addAll(added);
      consumer.assign(all);
      consumer.seekToBeginning(added);
    }
    channel.attach(added.isEmpty() ? Map.of() : new HashMap<>(consumer.endOffsets(added)));
  }

  private @Nullable List<PartitionInfo> partitions(String topic) {
    List<PartitionInfo> partitions = consumer.partitionsFor(topic);
    return partitions == null || partitions.isEmpty() ? null : partitions;
  }
}

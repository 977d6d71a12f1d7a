package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.operate.KafkaConnection;
import dev.abacus.deploy.operate.OperationFailedException;
import dev.abacus.deploy.operate.StatusTopic;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.ReferenceProgress;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Reference;
import dev.abacus.schemas.program.Source;
import dev.abacus.schemas.topic.Headers;
import dev.abacus.schemas.topic.Json;
import dev.abacus.schemas.topic.MalformedRecordException;
import dev.abacus.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Documents of one program that are sent and waited for. One thread uses it: {@link #send}, {@link
 * #endInput}, then {@link #poll} until {@link #complete}.
 */
public final class Job implements AutoCloseable {

  /** Header of a record that says up to which time its partition is complete. */
  static final String WATERMARK = "abacus-watermark";

  private static final long BETWEEN_LAGS_NANOS = 500_000_000;

  private final KafkaConnection connection;
  private final Program program;
  private final DocumentFormats formats;
  private final DocumentFormat resultFormat;
  private final Breakers breakers;
  private final Producer<byte[], byte[]> producer;
  private final Consumer<byte[], byte[]> consumer;
  private final Accounting accounting;
  private final StatusTopic status = new StatusTopic();
  private final NavigableMap<Integer, List<JobResult>> results = new TreeMap<>();
  private final List<FailedDocument> failures = new ArrayList<>();
  private final Map<Long, Integer> resultsByEpoch = new HashMap<>();
  private int outputs;
  private double recordedCostUsd;
  private long newest;
  private boolean inputEnded;
  private long lagAsked;

  private Job(KafkaConnection connection, Program program, DocumentFormats formats) {
    this.connection = connection;
    this.program = program;
    this.formats = formats;
    this.resultFormat = formats.of(program.results().topic(), program.results().format());
    this.breakers = Breakers.of(program);
    this.accounting = new Accounting(breakers.count());
    this.producer = connection.producer(Map.of());
    this.consumer = connection.consumer(Map.of());
  }

  /**
   * Begins a job: from now on, whatever arrives on the program's results and dead letter topics is
   * taken. The topics must be there.
   */
  public static Job open(KafkaConnection connection, Program program, DocumentFormats formats) {
    StatusTopic before = StatusTopic.read(connection);
    Job job = new Job(connection, program, formats);
    before.instances(program.name()).values().forEach(job.accounting::baseline);
    job.seekToEnds();
    return job;
  }

  private void seekToEnds() {
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic :
        List.of(
            program.results().topic(),
            Topics.deadLetters(program.name()),
            Topics.STATUS,
            Topics.REJECTIONS)) {
      consumer
          .partitionsFor(topic)
          .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
    }
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    // Seeking is lazy; the position must be taken before the first document is sent.
    partitions.forEach(consumer::position);
  }

  /** Puts validation examples on the program's topic; the same id again replaces the example. */
  public void sendExamples(Map<String, ObjectNode> examples) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    examples.forEach((id, example) ->
        sent.add(
            producer.send(
                new ProducerRecord<>(
                    program.validation().topic(),
                    id.getBytes(StandardCharsets.UTF_8),
                    Json.write(example)))));
    await(sent);
  }

  /** Puts items on the topics of references; the same key again replaces the item. */
  public void sendReferences(Map<String, List<InputDocument>> references) {
    references.forEach((name, items) -> {
      Reference reference = Objects.requireNonNull(program.reference(name), name);
      put(reference.topic(), formats.of(reference.topic(), reference.format()), items);
    });
  }

  /** Puts documents on the topic of the first source; returns when all stand there. */
  public void send(List<InputDocument> documents) {
    send(program.sources().getFirst().name(), documents);
  }

  /** Puts documents on the topic of that source; returns when all stand there. */
  public void send(String sourceName, List<InputDocument> documents) {
    Source source = program.source(sourceName);
    for (RecordMetadata metadata :
        put(source.topic(), formats.of(source.topic(), source.format()), documents)) {
      accounting.sent(
          "%s-%d@%d".formatted(metadata.topic(), metadata.partition(), metadata.offset()));
      newest = Math.max(newest, metadata.timestamp());
    }
  }

  private List<RecordMetadata> put(
      String topic, DocumentFormat format, List<InputDocument> documents) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (InputDocument document : documents) {
      sent.add(
          producer.send(
              new ProducerRecord<>(
                  topic,
                  document.key().getBytes(StandardCharsets.UTF_8),
                  format.write(document.document()))));
    }
    return await(sent);
  }

  /**
   * Says that no more documents come. Where windows wait for time to go on, each partition of the
   * sources gets a record without key and value, whose header {@value #WATERMARK} holds the epoch
   * milliseconds up to which it is complete: late enough that all windows close.
   */
  public void endInput() {
    inputEnded = true;
    if (!breakers.windows()) {
      return;
    }
    long complete = Math.max(newest, System.currentTimeMillis()) + breakers.span().toMillis();
    byte[] mark = Long.toString(complete).getBytes(StandardCharsets.UTF_8);
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (String topic : topics()) {
      for (PartitionInfo partition : producer.partitionsFor(topic)) {
        sent.add(
            producer.send(
                new ProducerRecord<>(
                    topic,
                    partition.partition(),
                    (byte[]) null,
                    (byte[]) null,
                    List.of(new RecordHeader(WATERMARK, mark)))));
      }
    }
    await(sent);
  }

  private List<String> topics() {
    return program.sources().stream().map(Source::topic).distinct().toList();
  }

  private static List<RecordMetadata> await(List<Future<RecordMetadata>> sent) {
    try {
      List<RecordMetadata> metadata = new ArrayList<>();
      for (Future<RecordMetadata> future : sent) {
        metadata.add(future.get());
      }
      return metadata;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new OperationFailedException(
          "Kafka did not take a record: " + cause.getMessage(),
          "Check the topic's size limit and whether this user may write to it.",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OperationFailedException("interrupted while sending", "Run it again.", e);
    }
  }

  /**
   * Takes what has come, and waits for it up to that long.
   *
   * @return whether anything of this program has come
   * @throws OperationFailedException if the program was refused
   */
  public boolean poll(Duration patience) {
    boolean any = false;
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(patience)) {
      any |= accept(record);
    }
    Rest rest = accounting.rest();
    if (rest != null && inputEnded && rest.needsLag()) {
      lookAtTopics(rest);
    }
    return any;
  }

  private void lookAtTopics(Rest rest) {
    if (System.nanoTime() - lagAsked > BETWEEN_LAGS_NANOS && accounting.pending() == 0) {
      lagAsked = System.nanoTime();
      if (GroupLag.ofAll(connection, program.name(), topics()) == 0) {
        rest.consumed(accounting.instances());
      } else {
        rest.moved();
      }
    }
  }

  /**
   * Takes what stands on the results and dead letter topics by now, however long that takes: a
   * document's further results may stand on other partitions than the first.
   */
  public void drain() {
    List<String> own = List.of(program.results().topic(), Topics.deadLetters(program.name()));
    List<TopicPartition> partitions =
        consumer.assignment().stream().filter(one -> own.contains(one.topic())).toList();
    Map<TopicPartition, Long> ends = connection.ends(partitions);
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      poll(Duration.ofMillis(100));
    }
  }

  private boolean accept(ConsumerRecord<byte[], byte[]> record) {
    return switch (record.topic()) {
      case Topics.STATUS -> acceptStatus(record);
      case Topics.REJECTIONS -> {
        acceptRejection(record);
        yield false;
      }
      case String topic when topic.equals(program.results().topic()) -> acceptResult(record);
      default -> acceptDeadLetter(record);
    };
  }

  private boolean acceptStatus(ConsumerRecord<byte[], byte[]> record) {
    var before = status.optimizer(program.name());
    status.accept(record);
    String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    if (!key.startsWith(program.name() + "/") || record.value() == null) {
      return false;
    }
    String instance = key.substring(program.name().length() + 1);
    InstanceStatus reported = status.instances(program.name()).get(instance);
    if (reported == null) {
      return !Objects.equals(before, status.optimizer(program.name()));
    }
    int done = accounting.filtered();
    double cost = accounting.costUsd() + accounting.sampleCostUsd();
    List<ReferenceProgress> references = accounting.references();
    accounting.report(reported);
    return done != accounting.filtered()
        || !references.equals(accounting.references())
        || cost != accounting.costUsd() + accounting.sampleCostUsd();
  }

  private void acceptRejection(ConsumerRecord<byte[], byte[]> record) {
    try {
      Rejection rejection = Json.read(record.value(), Rejection.class);
      if (rejection.key().endsWith("/" + program.name())) {
        throw new OperationFailedException(
            "%s refused %s: %s".formatted(rejection.by(), rejection.key(), rejection.reason()),
            "Correct the program; `abacus validate` checks it.");
      }
    } catch (MalformedRecordException e) {
      // Of a newer version, perhaps; not about this job then.
    }
  }

  private boolean acceptResult(ConsumerRecord<byte[], byte[]> record) {
    int index = accounting.result(header(record, Headers.SOURCE, ""));
    boolean fromSeveral = index < 0 && breakers.count() > 0;
    if ((index < 0 && !fromSeveral) || record.value() == null) {
      return index >= 0;
    }
    double cost = number(header(record, Headers.COST_USD, "0"));
    String epochText = header(record, Headers.PLAN_EPOCH, "");
    Long epoch = epochText.isEmpty() ? null : Long.valueOf(epochText);
    String latency = header(record, Headers.LATENCY_MS, "");
    String quality = header(record, Headers.QUALITY_ESTIMATE, "");
    // Results of several documents come last, in the order of their arrival.
    results
        .computeIfAbsent(fromSeveral ? Integer.MAX_VALUE : index, _ -> new ArrayList<>())
        .add(
            new JobResult(
                key(record),
                output(record.value()),
                epoch,
                cost,
                latency.isEmpty() ? null : Long.valueOf(latency),
                quality.isEmpty() ? null : Double.valueOf(quality)));
    outputs++;
    recordedCostUsd += cost;
    if (epoch != null) {
      resultsByEpoch.merge(epoch, 1, Integer::sum);
    }
    return true;
  }

  private ObjectNode output(byte[] value) {
    try {
      return resultFormat.read(value);
    } catch (InvalidDocumentException e) {
      throw new OperationFailedException(
          "a result on %s cannot be read: %s".formatted(program.results().topic(), e.getMessage()),
          "Check that nothing else writes to that topic, and --schema-registry.",
          e);
    }
  }

  private boolean acceptDeadLetter(ConsumerRecord<byte[], byte[]> record) {
    String from =
        header(
            record,
            Headers.SOURCE,
            "%s-%s@%s"
                .formatted(
                    header(record, Headers.EXCEPTION_TOPIC, ""),
                    header(record, Headers.EXCEPTION_PARTITION, ""),
                    header(record, Headers.EXCEPTION_OFFSET, "")));
    if (accounting.deadLetter(from) < 0 && breakers.count() == 0) {
      return false;
    }
    double cost = number(header(record, Headers.COST_USD, "0"));
    recordedCostUsd += cost;
    failures.add(
        new FailedDocument(
            key(record),
            header(record, Headers.OPERATOR, ""),
            header(record, Headers.EXCEPTION_MESSAGE, ""),
            cost));
    return true;
  }

  private static String key(ConsumerRecord<byte[], byte[]> record) {
    return record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
  }

  private static String header(
      ConsumerRecord<byte[], byte[]> record, String name, String otherwise) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? otherwise
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Whether every document is accounted for; see {@link Accounting} for the rule. */
  public boolean complete() {
    return accounting.complete();
  }

  /** Whether the instances' counters cover every document, so that the cost is whole. */
  public boolean countersAreComplete() {
    return accounting.countersAreComplete();
  }

  /**
   * To be called when nothing has changed for {@link #settledMillis}: if no instance holds a
   * document and the source topics are consumed to their ends, what is left was dropped by filters.
   */
  public void settle() {
    if (accounting.pending() == 0
        && GroupLag.ofSources(connection, program.name(), topics()) == 0) {
      accounting.settled();
    }
  }

  /** Milliseconds without change after which {@link #settle} may be called. */
  public static long settledMillis() {
    return Accounting.SETTLED_MILLIS;
  }

  /** How far it is. */
  public JobSnapshot snapshot() {
    // Records are certain; but filtered documents leave none, and several may say one cost twice.
    boolean oneRecordEach = accounting.filtered() == 0 && outputs == accounting.results();
    double cost =
        oneRecordEach && breakers.count() == 0
            ? recordedCostUsd
            : Math.max(outputs == accounting.results() ? recordedCostUsd : 0, accounting.costUsd());
    return new JobSnapshot(
        accounting.sent(),
        accounting.results(),
        outputs,
        accounting.filtered(),
        accounting.consumed(),
        accounting.deadLetters(),
        accounting.pending(),
        accounting.instances().stream().map(InstanceStatus::state).toList(),
        accounting.references(),
        cost,
        accounting.sampleCostUsd(),
        resultsByEpoch,
        activeEpoch(),
        status.optimizer(program.name()));
  }

  private @Nullable Long activeEpoch() {
    Long epoch = null;
    for (InstanceStatus instance : accounting.instances()) {
      Long stamped = instance.epoch();
      // A swap has arrived when the last instance has it.
      epoch = epoch == null || (stamped != null && stamped < epoch) ? stamped : epoch;
    }
    return epoch;
  }

  /** What came back, in the order in which documents were sent; then what came of several. */
  public List<JobResult> results() {
    return results.values().stream().flatMap(List::stream).toList();
  }

  /** What failed, in the order in which it arrived. */
  public List<FailedDocument> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() {
    consumer.close();
    producer.close(Duration.ofSeconds(5));
  }
}

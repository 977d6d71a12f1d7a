package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.deploy.cluster.RecordText;
import dev.abacus.deploy.cluster.StatusTopic;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ReferenceProgress;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.Topics;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Documents of one program that are sent and waited for. One thread uses it: {@link #send}, {@link
 * #endInput}, then {@link #poll} until {@link #complete}.
 */
public final class Job implements AutoCloseable {

  private static final long BETWEEN_LAGS_NANOS = 500_000_000;

  private final KafkaConnection connection;
  private final Program program;
  private final Breakers breakers;
  private final Accounting accounting;
  private final JobSender sender;
  private final ReturnedDocuments returned;
  private final Consumer<byte[], byte[]> consumer;
  private final StatusTopic status = new StatusTopic();
  private boolean inputEnded;
  private long lagAsked;

  private Job(KafkaConnection connection, Program program, DocumentFormats formats) {
    this.connection = connection;
    this.program = program;
    this.breakers = Breakers.of(program);
    this.accounting = new Accounting(breakers.count());
    this.returned =
        new ReturnedDocuments(
            formats.of(program.results().topic(), program.results().format()),
            accounting,
            breakers.count() > 0);
    this.sender = new JobSender(connection, program, formats);
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
    sender.examples(examples);
  }

  /** Puts items on the topics of references; the same key again replaces the item. */
  public void sendReferences(Map<String, List<InputDocument>> references) {
    references.forEach((name, items) ->
        sender.items(Objects.requireNonNull(program.reference(name), name), items));
  }

  /** Puts documents on the topic of the first source; returns when all stand there. */
  public void send(List<InputDocument> documents) {
    send(program.sources().getFirst().name(), documents);
  }

  /** Puts documents on the topic of that source; returns when all stand there. */
  public void send(String sourceName, List<InputDocument> documents) {
    sender.documents(program.source(sourceName), documents).forEach(accounting::sent);
  }

  /**
   * Says that no more documents come. Where windows wait for time to go on, it goes on far enough
   * that all of them close.
   */
  public void endInput() {
    inputEnded = true;
    if (breakers.windows()) {
      sender.watermarks(breakers.span());
    }
  }

  private List<String> topics() {
    return program.sources().stream().map(Source::topic).distinct().toList();
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
      case String topic when topic.equals(program.results().topic()) ->
          returned.acceptResult(record);
      default -> returned.acceptDeadLetter(record);
    };
  }

  private boolean acceptStatus(ConsumerRecord<byte[], byte[]> record) {
    var before = status.optimizer(program.name());
    status.accept(record);
    String key = RecordText.key(record);
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
    boolean oneRecordEach = returned.outputs() == accounting.results();
    double recorded = oneRecordEach ? returned.costUsd() : 0;
    double cost =
        oneRecordEach && accounting.filtered() == 0 && breakers.count() == 0
            ? recorded
            : Math.max(recorded, accounting.costUsd());
    return new JobSnapshot(
        accounting.sent(),
        accounting.results(),
        returned.outputs(),
        accounting.filtered(),
        accounting.consumed(),
        accounting.deadLetters(),
        accounting.pending(),
        accounting.instances().stream().map(InstanceStatus::state).toList(),
        accounting.references(),
        cost,
        accounting.sampleCostUsd(),
        returned.resultsByEpoch(),
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
    return returned.results();
  }

  /** What failed, in the order in which it arrived. */
  public List<FailedDocument> failures() {
    return returned.failures();
  }

  @Override
  public void close() {
    consumer.close();
    sender.close();
  }
}

package dev.abacus.deploy.job;

import static dev.abacus.schemas.kafka.KafkaFutures.get;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.control.StatusReports;
import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.monitor.SourceLag;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Sends documents of one program and waits for their outcomes. Not thread-safe. Call {@link #send},
 * {@link #endInput}, then {@link #poll} until {@link #complete}.
 */
public final class Job implements AutoCloseable {

  private static final long LAG_INTERVAL_NANOS = 500_000_000;
  private static final Duration JOURNEY_INTERVAL = Duration.ofMillis(200);

  private final KafkaNames names;
  private final KafkaConnection connection;
  private final Program program;
  private final StatefulOperators statefulOperators;
  private final Accounting accounting;
  private final DocumentFormats formats;
  private final JobSender sender;
  private final JobOutput returned;
  private final Consumer<byte[], byte[]> consumer;
  private final StatusReports status = new StatusReports();
  private boolean inputEnded;
  private Map<TopicPartition, Long> ends = Map.of();
  private long lastLagNanos;

  private Job(KafkaConnection connection, Program program) {
    this.connection = connection;
    this.names = connection.names();
    this.program = program;
    this.statefulOperators = StatefulOperators.of(program);
    this.accounting = new Accounting(statefulOperators.count());
    this.formats = new DocumentFormats(connection.properties());
    formats.require(program.results().topic(), program.results().format());
    program.sources().forEach(source -> formats.require(source.topic(), source.format()));
    this.returned = new JobOutput(program, formats, accounting, statefulOperators.count() > 0);
    this.sender = new JobSender(connection, program, formats);
    this.consumer =
        connection.consumerAtEnd(
            List.of(
                program.results().topic(),
                names.deadLetters(program.name()),
                names.status(),
                names.rejections()));
  }

  /**
   * Opens a job, which receives the records that arrive on the results and dead-letter topics of
   * the program from now on. The topics must exist.
   *
   * @param connection names the schema registry too, if the program needs one
   * @throws OperationFailedException if it needs one and the connection names none
   */
  public static Job open(KafkaConnection connection, Program program) {
    StatusReports before = TopicReader.status(connection);
    Job job = new Job(connection, program);
    before.instances(program.name()).forEach(job.accounting::baseline);
    return job;
  }

  /** Sends validation examples; an example replaces one with the same id. */
  public void sendExamples(Map<String, ObjectNode> examples) {
    sender.examples(examples);
  }

  /**
   * Sends reference items, by the name of the reference; an item replaces one with the same key.
   */
  public void sendReferences(Map<String, List<InputDocument>> references) {
    references.forEach((name, items) ->
        sender.items(Objects.requireNonNull(program.reference(name), name), items));
  }

  /** Sends documents to the first source; returns when Kafka has acknowledged all. */
  public void send(List<InputDocument> documents) {
    send(program.sources().getFirst().name(), documents);
  }

  /** Sends documents to a source; returns when Kafka has acknowledged all. */
  public void send(String sourceName, List<InputDocument> documents) {
    List<String> positions = sender.documents(program.source(sourceName), documents);
    for (int i = 0; i < positions.size(); i++) {
      accounting.sent(positions.get(i), documents.get(i).key());
    }
  }

  /** Ends the input. Sends watermarks that close all windows if the program has windows. */
  public void endInput() {
    inputEnded = true;
    if (statefulOperators.windows()) {
      List<String> sources = program.sources().stream().map(Source::topic).distinct().toList();
      sender.watermarks(TopicRange.partitions(consumer, sources), statefulOperators.span());
    }
  }

  /**
   * What the job waits for; the reports of workers say nothing of it while Kafka is away. May take
   * ten seconds.
   */
  public String waitingFor() {
    try {
      connection.check();
      return snapshot().waitingFor();
    } catch (OperationFailedException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * Processes the records that have arrived; waits up to {@code patience} for the first.
   *
   * @return whether a record of this job arrived
   * @throws OperationFailedException if the program was rejected
   */
  public boolean poll(Duration patience) {
    boolean any = false;
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(patience)) {
      any |= accept(record);
    }
    IdleDetector idle = accounting.idle();
    if (inputEnded && idle.needsLag()) {
      checkLag(idle);
    }
    return any;
  }

  private void checkLag(IdleDetector idle) {
    if (System.nanoTime() - lastLagNanos > LAG_INTERVAL_NANOS && accounting.pending() == 0) {
      lastLagNanos = System.nanoTime();
      if (lag() == 0) {
        idle.consumed(accounting.instances());
      } else {
        idle.moved();
      }
    }
  }

  /** Lag of the application that takes new documents, in records; -1 if unknown. */
  private long lag() {
    String group = connection.application(program, accounting.instances());
    Set<String> sources = program.sources().stream().map(Source::topic).collect(Collectors.toSet());
    try {
      return connection.administer(
          "the lag is not known",
          admin -> {
            Set<String> consumed = new HashSet<>();
            get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .keySet()
                .forEach(partition -> consumed.add(partition.topic()));
            if (sources.stream().noneMatch(consumed::contains)) {
              return -1L;
            }
            consumed.removeIf(topic -> !topic.startsWith(group + "-"));
            consumed.addAll(sources);
            return new SourceLag(admin, group, consumed).query().lag();
          });
    } catch (OperationFailedException | AuthorizationException e) {
      return -1;
    }
  }

  /**
   * Notes the present ends of the results and dead-letter topics: further results of a document may
   * be on other partitions than the first. {@link #poll} until {@link #isDrained}.
   */
  public void beginDrain() {
    List<String> own = List.of(program.results().topic(), names.deadLetters(program.name()));
    ends =
        connection.ends(
            consumer.assignment().stream().filter(one -> own.contains(one.topic())).toList());
  }

  /** Whether the topics were read to these ends; not while a transaction before them is open. */
  public boolean isDrained() {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  private boolean accept(ConsumerRecord<byte[], byte[]> record) {
    return switch (record.topic()) {
      case String topic when topic.equals(names.status()) -> acceptStatus(record);
      case String topic when topic.equals(names.rejections()) -> {
        acceptRejection(record);
        yield false;
      }
      case String topic when topic.equals(program.results().topic()) ->
          returned.acceptResult(record);
      default -> returned.acceptDeadLetter(record);
    };
  }

  /** Returns whether a report tells of progress. */
  private boolean acceptStatus(ConsumerRecord<byte[], byte[]> record) {
    List<Object> before = reported();
    InstanceStatus worker = status.accept(record);
    if (worker != null && worker.program().equals(program.name())) {
      accounting.report(worker);
    }
    return !before.equals(reported());
  }

  /** What reports tell, without times and measurements, which change with every report. */
  private List<Object> reported() {
    return List.of(
        accounting.filtered(),
        accounting.costUsd() + accounting.sampleCostUsd(),
        snapshot().references(),
        status.optimizer(program.name()) instanceof ObjectNode search
            ? search.deepCopy().without(List.of("at", "threads", "plan"))
            : "no report");
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
      // Probably from a newer version; ignored.
    }
  }

  /** Whether the outcome of every document is known; {@link Accounting} states the rule. */
  public boolean complete() {
    return accounting.complete();
  }

  /** Whether the instances' counters cover every document, so that the cost is complete. */
  public boolean countersAreComplete() {
    return accounting.countersAreComplete();
  }

  /** Current progress. */
  public JobSnapshot snapshot() {
    // Result records are exact, but filtered documents leave none, and several outputs of one
    // document may repeat its cost.
    boolean oneRecordEach = returned.outputs() == accounting.results();
    double recorded = oneRecordEach ? returned.costUsd() : 0;
    double cost =
        oneRecordEach && accounting.filtered() == 0 && statefulOperators.count() == 0
            ? recorded
            : Math.max(recorded, accounting.costUsd());
    return new JobSnapshot(
        accounting.sent(),
        accounting.results(),
        returned.outputs(),
        accounting.filtered(),
        accounting.consumed(),
        accounting.deadLetters(),
        accounting.instances(),
        cost,
        accounting.sampleCostUsd(),
        returned.resultsByEpoch(),
        status.optimizer(program.name()));
  }

  /** Names of the instances that reported on the program. */
  public Set<String> instances() {
    return accounting.instances().stream()
        .map(InstanceStatus::instance)
        .collect(Collectors.toSet());
  }

  /** Results in the order of their documents, then results of several documents. */
  public List<JobResult> results() {
    return returned.results();
  }

  /** The keys of the documents that were sent. */
  public Set<String> documentKeys() {
    return accounting.documents().stream().map(Accounting.Sent::key).collect(Collectors.toSet());
  }

  /**
   * The results of each document, by its key; results of several documents by their own keys. If
   * documents have equal keys, the first with a result counts.
   */
  public Map<String, List<JobResult>> resultsByDocument() {
    Map<String, List<JobResult>> byDocument = new LinkedHashMap<>();
    accounting.documents().stream()
        .filter(document -> !document.results().isEmpty())
        .forEach(document -> byDocument.putIfAbsent(document.key(), document.results()));
    returned.ofSeveral().stream()
        .collect(Collectors.groupingBy(JobResult::key))
        .forEach(byDocument::putIfAbsent);
    return byDocument;
  }

  /**
   * The journeys of the documents of this job, by document key, as far as workers record them.
   *
   * @param patience time to wait until every document has one: workers write them beside the
   *     documents
   */
  public Map<String, List<Journey>> journeys(Duration patience) {
    long start = System.nanoTime();
    Map<String, List<Journey>> found = journeys();
    while (!found.keySet().containsAll(documentKeys())
        && System.nanoTime() - start < patience.toNanos()) {
      poll(JOURNEY_INTERVAL);
      found = journeys();
    }
    return found;
  }

  private Map<String, List<Journey>> journeys() {
    Map<String, List<Journey>> byDocument = new LinkedHashMap<>();
    for (Journey journey : TopicReader.journeys(connection, program.name())) {
      Accounting.Sent document = accounting.document(journey.source());
      if (document != null) {
        byDocument.computeIfAbsent(document.key(), _ -> new ArrayList<>()).add(journey);
      }
    }
    return byDocument;
  }

  /** Dead letters in the order of arrival. */
  public List<JobFailure> failures() {
    return returned.failures();
  }

  @Override
  public void close() {
    consumer.close();
    formats.close();
  }
}

package dev.abacus.optimizer.page.records;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.RedactingInterceptor;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.monitor.SourceOffsets;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.replay.DeadLetterReplay;
import dev.abacus.schemas.secret.ConfiguredSecrets;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadStatus;
import dev.abacus.schemas.value.RecordValues;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Follows the topics of a cluster on threads of its own: control, status, observations, dead
 * letters, journeys, and bills. A thread that may not read its topics does not affect the others,
 * or the optimizer.
 */
public final class ClusterFeed implements ClusterAccess, AutoCloseable {

  /** Records of a partition of the status topic or of dead letters that existed before. */
  private static final long TAIL = 20_000;

  private static final long ALL = Long.MAX_VALUE;

  private static final Duration APPLIED_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration ASK_AGAIN = Duration.ofSeconds(5);
  private static final int WRITE_MILLIS = 10_000;

  private final Map<String, Object> properties;
  private final DeadLetterReplay.Clients clients;
  private final ModelCatalogue catalogue;
  private final KafkaNames names;
  private final ClusterFold fold;
  private final Clock clock;
  private final Supervisor supervisor;
  private final @Nullable AvroValues avro;
  private final Deque<Supervisor.SupervisedThread> threads = new ArrayDeque<>();
  private final Map<String, Asked> asked = new ConcurrentHashMap<>();

  /** An answer of Kafka on the offsets of a program. */
  private record Asked(Instant at, List<Partition> partitions) {}

  /** Opens clients of a broker. */
  private record KafkaClients(Map<String, Object> properties) implements DeadLetterReplay.Clients {

    @Override
    public Consumer<byte[], byte[]> consumer(Map<String, Object> more) {
      Map<String, Object> all = ByteClients.following(properties);
      all.putAll(more);
      all.put("auto.offset.reset", "earliest");
      all.put("allow.auto.create.topics", "false");
      return ByteClients.consumer(all);
    }

    @Override
    public Producer<byte[], byte[]> producer(Map<String, Object> more) {
      Map<String, Object> all = ByteClients.durable(properties);
      all.putIfAbsent("transaction.timeout.ms", DeadLetterReplay.TRANSACTION_MILLIS);
      all.putAll(more);
      all.put("max.block.ms", WRITE_MILLIS);
      return ByteClients.producer(all);
    }
  }

  private ClusterFeed(
      Map<String, Object> properties,
      DeadLetterReplay.Clients clients,
      ModelCatalogue catalogue,
      Clock clock) {
    this.properties = properties;
    this.clients = clients;
    this.catalogue = catalogue;
    this.clock = clock;
    this.names = KafkaNames.of(properties);
    this.avro = AvroValues.connect(properties);
    this.fold = new ClusterFold(names, new ControlCodec(catalogue, new RecordValues(avro)), clock);
    this.supervisor = new Supervisor(RestartPolicy.standard(_ -> true), clock);
  }

  /**
   * Starts to read.
   *
   * @param properties of Kafka clients
   */
  public static ClusterFeed start(
      Map<String, Object> properties, ModelCatalogue catalogue, Clock clock) {
    return start(properties, new KafkaClients(properties), catalogue, clock);
  }

  /** Starts to read through these clients. */
  static ClusterFeed start(
      Map<String, Object> properties,
      DeadLetterReplay.Clients clients,
      ModelCatalogue catalogue,
      Clock clock) {
    ClusterFeed feed = new ClusterFeed(properties, clients, catalogue, clock);
    feed.follow();
    return feed;
  }

  private void follow() {
    follow("page control", () -> List.of(names.control()), ALL, fold::control);
    follow("page status", () -> List.of(names.status(), names.rejections()), TAIL, fold::accept);
    follow("page samples", ofPrograms(names::observations), ALL, fold::accept);
    follow("page dead letters", ofPrograms(names::deadLetters), TAIL, fold::accept);
    follow("page bills", () -> List.of(names.spending()), ALL, fold::accept);
    follow("page journeys", ofPrograms(names::journeys), Recent.MOST, fold::accept);
    follow("page reviews", this::reviews, ALL, fold::accept);
  }

  private Supplier<List<String>> ofPrograms(UnaryOperator<String> topic) {
    return () -> fold.programs().stream().map(topic).toList();
  }

  private List<String> reviews() {
    return fold.snapshot().programs().values().stream()
        .map(ProgramRecords::program)
        .filter(program -> program.review() > 0)
        .map(program -> names.review(program.name()))
        .toList();
  }

  private void follow(
      String name,
      Supplier<List<String>> topics,
      long tail,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> handler) {
    TopicFollower follower =
        new TopicFollower(() -> clients.consumer(Map.of()), topics, tail, handler, clock);
    threads.push(
        supervisor.start(
            name, follower, new Supervisor.Resource(follower::wakeUp, follower::release)));
  }

  @Override
  public Cluster snapshot() {
    return fold.snapshot();
  }

  @Override
  public List<String> troubles() {
    return supervisor.troubled().stream().map(ThreadStatus::describe).toList();
  }

  @Override
  public DeadLetterReplay.Letters pending(Program program) {
    return letters(program, DeadLetterReplay::pending);
  }

  @Override
  public DeadLetterReplay.Letters replay(Program program) {
    return letters(program, DeadLetterReplay::replay);
  }

  @Override
  public DeadLetterReplay.Letters replay(Program program, int partition, long offset) {
    return letters(program, letters -> letters.replay(partition, offset));
  }

  @Override
  public Map<Integer, DeadLetterReplay.Replayed> replayed(Program program) {
    return letters(program, DeadLetterReplay::replayed);
  }

  private <T> T letters(Program program, Function<DeadLetterReplay, T> work) {
    try {
      return work.apply(new DeadLetterReplay(names, program, clients));
    } catch (KafkaException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** Asks at most every 5 s, since each visitor's page asks every 2 s. */
  @Override
  public List<Partition> partitions(ProgramRecords records) {
    return asked
        .compute(
            records.program().name(),
            (_, before) ->
                before == null || before.at().plus(ASK_AGAIN).isBefore(clock.instant())
                    ? new Asked(clock.instant(), ask(records))
                    : before)
        .partitions();
  }

  private List<Partition> ask(ProgramRecords records) {
    String group =
        records.instances().stream()
            .flatMap(instance -> instance.versions().stream())
            .max(Comparator.comparingInt(InstanceStatus.VersionStatus::version))
            .map(InstanceStatus.VersionStatus::application)
            .orElseGet(() -> names.application(records.program().name()));
    try (Consumer<byte[], byte[]> consumer =
        clients.consumer(Map.of(ConsumerConfig.GROUP_ID_CONFIG, group))) {
      List<TopicPartition> partitions =
          TopicRange.partitions(
              consumer,
              records.program().sources().stream().map(Program.Source::topic).distinct().toList());
      SourceOffsets offsets =
          SourceOffsets.of(
              consumer.committed(Set.copyOf(partitions)),
              consumer.beginningOffsets(partitions),
              consumer.endOffsets(partitions));
      return partitions.stream()
          .map(partition ->
              new Partition(
                  partition.toString(),
                  offsets.next(partition),
                  offsets.end().getOrDefault(partition, 0L)))
          .toList();
    } catch (KafkaException e) {
      return List.of();
    }
  }

  /** Waits up to 3 s until {@link #snapshot} has the record. */
  @Override
  public void write(ControlRecord record, String by) {
    byte[] key = record.key().path().getBytes(StandardCharsets.UTF_8);
    long offset = send(new ProducerRecord<>(names.control(), key, ControlCodec.encode(record)), by);
    try {
      boolean _ = fold.awaitControl(offset, APPLIED_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void answer(Program program, String position, JsonNode labels, String by) {
    byte[] key = position.getBytes(StandardCharsets.UTF_8);
    ProducerRecord<byte[], byte[]> answer =
        new ProducerRecord<>(
            Objects.requireNonNull(program.validation().feedback()),
            key,
            Json.write(Map.of("labels", labels)));
    answer.headers().add(Headers.SOURCE, key);
    var _ = send(answer, by);
  }

  /** Sends a record; returns its offset. */
  private long send(ProducerRecord<byte[], byte[]> record, String by) {
    Map<String, Object> redacting =
        RedactingInterceptor.properties(
            ConfiguredSecrets.redactor(properties, catalogue, System::getenv), properties);
    record.headers().add(Headers.BY, by.getBytes(StandardCharsets.UTF_8));
    try (Producer<byte[], byte[]> producer = clients.producer(redacting)) {
      return producer.send(record).get().offset();
    } catch (ExecutionException | KafkaException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException("Kafka did not take the record: " + cause.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Ends the threads. */
  @Override
  public void close() {
    while (!threads.isEmpty()) {
      threads.pop().close();
    }
    if (avro != null) {
      avro.close();
    }
  }
}

package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.program.Program;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Topics of one partition each, or of more if a test writes to them before it connects, read and
 * written through the mock clients of Kafka.
 */
final class TopicsInMemory {

  private final Map<String, List<ConsumerRecord<byte[], byte[]>>> topics = new TreeMap<>();

  /** The end offset of each partition. */
  private final Map<TopicPartition, Long> ends = new HashMap<>();

  private long written;

  /** Name of the topic that refuses every record; null if none does. */
  @Nullable String refusing;

  /** Why it does. */
  ApiException refusal = new RecordTooLargeException("larger than allowed");

  /** Name of the program whose topics may not be used; null if all may. */
  @Nullable String denied;

  /** Why they may not. */
  ApiException denial = new TopicAuthorizationException(Set.of("topic of other"));

  /** Whether a partition has no leader, for the consumers of {@link #reader}. */
  boolean leaderless;

  /** Number of consumers of {@link #reader}. */
  int readers;

  TopicsInMemory(List<String> names) {
    for (String name : names) {
      topics.put(name, new ArrayList<>());
      ends.put(new TopicPartition(name, 0), 0L);
    }
  }

  void write(String topic, String key, byte @Nullable [] value) {
    append(new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value));
  }

  void write(String topic, String key, byte @Nullable [] value, Header header) {
    append(
        new ProducerRecord<>(
            topic, null, key.getBytes(StandardCharsets.UTF_8), value, List.of(header)));
  }

  /** A consumer of its own that gets the records of the partitions that it reads. */
  MockConsumer<byte[], byte[]> reader() {
    Connection connection = new Connection();
    connection.consumer.schedulePollTask(connection::deliver);
    readers++;
    if (leaderless) {
      connection.consumer.setOffsetsException(new TimeoutException("no leader"));
    }
    return connection.consumer;
  }

  /** Appends a record, whose time tells how many were written before it. */
  void append(ProducerRecord<byte[], byte[]> record) {
    int partition = record.partition() == null ? 0 : record.partition();
    log(record.topic())
        .add(
            new ConsumerRecord<>(
                record.topic(),
                partition,
                ends.merge(new TopicPartition(record.topic(), partition), 1L, Long::sum) - 1,
                written++,
                TimestampType.CREATE_TIME,
                0,
                0,
                record.key(),
                record.value(),
                record.headers(),
                Optional.empty()));
  }

  private List<ConsumerRecord<byte[], byte[]>> log(TopicPartition partition) {
    return log(partition.topic()).stream()
        .filter(record -> record.partition() == partition.partition())
        .toList();
  }

  private List<TopicPartition> partitions(String topic) {
    return ends.keySet().stream().filter(one -> one.topic().equals(topic)).toList();
  }

  List<ConsumerRecord<byte[], byte[]>> log(String topic) {
    return topics.computeIfAbsent(
        topic,
        name -> {
          throw new AssertionError("no topic " + name);
        });
  }

  List<String> keys(String topic) {
    return log(topic).stream()
        .map(record -> new String(record.key(), StandardCharsets.UTF_8))
        .toList();
  }

  /** One connection: mock clients over these topics. */
  final class Connection {

    final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    final MockProducer<byte[], byte[]> producer = new LimitedProducer();

    private final Map<TopicPartition, Integer> delivered = new HashMap<>();
    private int committed;

    Connection() {
      topics
          .keySet()
          .forEach(topic -> {
            Node node = new Node(0, "localhost", 9092);
            Node[] nodes = {node};
            consumer.updatePartitions(
                topic,
                partitions(topic).stream()
                    .map(one -> new PartitionInfo(topic, one.partition(), node, nodes, nodes))
                    .toList());
            partitions(topic).forEach(one -> consumer.updateBeginningOffsets(Map.of(one, 0L)));
          });
      updateEnds();
    }

    Clients clients() {
      return new Clients(consumer, producer, new Existing());
    }

    private void updateEnds() {
      consumer.updateEndOffsets(ends);
    }

    /** Hands the consumer the new records of its partitions. */
    void deliver() {
      for (TopicPartition partition : consumer.assignment()) {
        List<ConsumerRecord<byte[], byte[]>> log = log(partition);
        int first = delivered.getOrDefault(partition, 0);
        log.subList(first, log.size()).forEach(consumer::addRecord);
        delivered.put(partition, log.size());
      }
      updateEnds();
    }

    /** Appends the records that the producer has committed since the last call. */
    void collect() {
      List<ProducerRecord<byte[], byte[]>> history = producer.history();
      history.subList(committed, history.size()).forEach(TopicsInMemory.this::append);
      committed = history.size();
      updateEnds();
    }
  }

  /** As a producer of Kafka, the refusal of a record fails its future and the transaction. */
  private final class LimitedProducer extends MockProducer<byte[], byte[]> {

    private boolean refused;

    LimitedProducer() {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
      if (!record.topic().equals(refusing)) {
        return super.send(record);
      }
      refused = true;
      return CompletableFuture.failedFuture(refusal);
    }

    @Override
    public void commitTransaction() {
      if (refused) {
        abortTransaction();
        throw new KafkaException("in an error state");
      }
      super.commitTransaction();
    }
  }

  /** All topics exist. */
  private final class Existing implements TopicCreator {
    @Override
    public void createShared() {}

    @Override
    public void createFor(Program program) {
      if (program.name().equals(denied)) {
        throw denial;
      }
    }

    @Override
    public void forget(String program) {}

    @Override
    public void close() {}
  }
}

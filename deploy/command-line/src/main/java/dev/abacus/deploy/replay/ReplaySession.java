package dev.abacus.deploy.replay;

import static dev.abacus.schemas.kafka.KafkaFutures.get;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.deploy.cluster.PatientWriting;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.observation.ReplayOutcome;
import dev.abacus.schemas.observation.ReplayTask;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the tasks of a replay to the workers, a few at a time, and receives the outcomes. If the
 * command is killed, the workers finish the tasks that were sent, and nothing else remains.
 */
public final class ReplaySession {

  private static final Duration POLL = Duration.ofMillis(200);

  private static final int LARGEST_TASK = 8 * 1024 * 1024;

  private final KafkaConnection connection;
  private final String program;
  private final Limits limits;
  private final String id = UUID.randomUUID().toString();
  private final Set<String> open = new HashSet<>();
  private double spent;
  private double dearest;
  private boolean answered;

  /**
   * The bounds of a replay.
   *
   * @param maxUsd most USD to spend
   * @param documentUsd what a document is expected to cost
   * @param inFlight most documents at the same time
   * @param patience longest time without an outcome while tasks are open
   */
  public record Limits(double maxUsd, double documentUsd, int inFlight, Duration patience) {}

  /** Why a replay ended. */
  public enum End {
    COMPLETE,
    /** A further document may have cost more than what was left of the limit. */
    LIMIT,
    /** No outcome came for a long time. */
    NO_ANSWER
  }

  /** A replay of documents of one program. */
  public ReplaySession(KafkaConnection connection, String program, Limits limits) {
    this.connection = connection;
    this.program = program;
    this.limits = limits;
    this.dearest = limits.documentUsd();
  }

  /** USD spent so far. */
  public double spent() {
    return spent;
  }

  /**
   * Runs the tasks in their order.
   *
   * @param outcomes receives each outcome once
   * @throws OperationFailedException if Kafka cannot be used
   */
  public End run(List<ReplayTask> tasks, Consumer<ReplayOutcome> outcomes) {
    String topic = connection.names().replayed(program);
    var _ =
        new TopicCreation(1, 0)
            .create(connection, List.of(TopicSpec.ofReplayed(connection.names(), program)));
    try (var consumer = connection.consumerAtEnd(List.of(topic));
        var producer =
            connection.producer(
                Map.of(
                    ProducerConfig.COMPRESSION_TYPE_CONFIG,
                    "zstd",
                    // A plan may show many examples.
                    ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                    LARGEST_TASK))) {
      return run(new ArrayList<>(tasks), outcomes, consumer, producer);
    } catch (KafkaException e) {
      throw unusable(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unusable(e);
    }
  }

  private OperationFailedException unusable(Exception e) {
    return new OperationFailedException(
        "the replay ended: " + e.getMessage(),
        "Check the brokers, and whether this user may write to %s and read %s."
            .formatted(connection.names().samples(program), connection.names().replayed(program)),
        e);
  }

  private End run(
      List<ReplayTask> left,
      Consumer<ReplayOutcome> outcomes,
      org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
      Producer<byte[], byte[]> producer)
      throws InterruptedException {
    String samples = connection.names().samples(program);
    int partitions = producer.partitionsFor(samples).size();
    PatientWriting writing = new PatientWriting(connection, List.of(samples));
    long heardAt = System.nanoTime();
    while (true) {
      // The first document alone tells what others may cost.
      while (!left.isEmpty() && open.size() < (answered ? limits.inFlight() : 1) && affords()) {
        ReplayTask task = left.removeFirst();
        open.add(task.position());
        ProducerRecord<byte[], byte[]> next = record(samples, task.partition() % partitions, task);
        var _ = writing.run(() -> get(producer.send(next)));
      }
      if (open.isEmpty()) {
        return left.isEmpty() ? End.COMPLETE : End.LIMIT;
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        ReplayOutcome outcome = outcome(record);
        if (outcome != null && open.remove(outcome.position())) {
          answered = true;
          spent += outcome.paid();
          dearest = Math.max(dearest, outcome.paid());
          heardAt = System.nanoTime();
          outcomes.accept(outcome);
        }
      }
      if (System.nanoTime() - heardAt > limits.patience().toNanos()) {
        return End.NO_ANSWER;
      }
    }
  }

  /** Whether a further document is within the limit even if all that are open are the dearest. */
  private boolean affords() {
    return spent + (open.size() + 1) * dearest <= limits.maxUsd();
  }

  private ProducerRecord<byte[], byte[]> record(String topic, int partition, ReplayTask task) {
    byte[] replay = id.getBytes(StandardCharsets.UTF_8);
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic, partition, task.position().getBytes(StandardCharsets.UTF_8), Json.write(task));
    record.headers().add(Headers.REPLAY, replay);
    return record;
  }

  private @Nullable ReplayOutcome outcome(ConsumerRecord<byte[], byte[]> record) {
    ReplayOutcome outcome = Json.find(record.value(), ReplayOutcome.class);
    return outcome != null && outcome.replay().equals(id) ? outcome : null;
  }
}

package dev.abacus.topology.spending;

import static dev.abacus.topology.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.program.Spending;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The spending topic with records of programs that this worker does not run. */
@Timeout(30)
class SpendingTopicTest {

  private static final TopicPartition PARTITION = new TopicPartition("abacus.spending", 0);
  private static final long WINDOW = Duration.ofDays(10_000).toMillis();
  private static final Amount CAP = Amount.of(1, Amount.UNLIMITED);

  /** As a broker, it gives each consumer the records from where it seeks to. */
  private static final class Log {
    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    private final List<Reader> readers = new ArrayList<>();
    private volatile boolean pastIsSlow;

    /** How often no further consumer can be opened. */
    private volatile int unreachable;

    private final class Reader extends MockConsumer<byte[], byte[]> {
      private long sought;

      Reader() {
        super("earliest");
      }

      @Override
      public synchronized void seekToBeginning(Collection<TopicPartition> partitions) {
        seek(PARTITION, 0);
        sought = 0;
      }

      @Override
      public synchronized void seekToEnd(Collection<TopicPartition> partitions) {
        synchronized (Log.this) {
          sought = records.size();
          seek(PARTITION, sought);
        }
      }

      @Override
      public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        if (assignment().contains(PARTITION) && position(PARTITION) > end()) {
          seekToEnd(List.of(PARTITION));
        }
        if (assignment().contains(PARTITION) && !(pastIsSlow && sought == 0)) {
          synchronized (Log.this) {
            records.stream().filter(one -> one.offset() >= sought).forEach(this::addRecord);
            sought = records.size();
          }
        }
        return super.poll(timeout);
      }
    }

    synchronized Reader open() {
      if (unreachable > 0) {
        unreachable--;
        throw new KafkaException("No resolvable bootstrap urls");
      }
      readers.add(new Reader());
      return readers.getLast();
    }

    /** The topic is deleted and created; a client whose offset is gone starts at the end. */
    synchronized void createAnew() {
      records.clear();
    }

    synchronized void write(byte[] value) {
      ConsumerRecord<byte[], byte[]> record =
          new ConsumerRecord<>(
              PARTITION.topic(),
              0,
              records.size(),
              System.currentTimeMillis(),
              TimestampType.LOG_APPEND_TIME,
              0,
              value.length,
              new byte[0],
              value,
              new RecordHeaders(),
              Optional.empty());
      records.add(record);
    }

    private synchronized @Nullable Reader first() {
      return readers.isEmpty() ? null : readers.getFirst();
    }

    private synchronized long end() {
      return records.size();
    }

    /** Takes no lock of the log while it waits for that of a reader, whose polls take both. */
    boolean isFollowed() {
      Reader first = first();
      return first != null
          && first.assignment().contains(PARTITION)
          && first.position(PARTITION) == end();
    }
  }

  private final Log log = new Log();
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final Supervisor supervisor =
      new Supervisor(RestartPolicy.standard(_ -> false), InstantSource.system());
  private final SpendingTopic topic =
      new SpendingTopic(
          producer,
          log::open,
          PARTITION.topic(),
          "me",
          new Bill(ModelCatalogue.builtIn(), "me", InstantSource.system()),
          supervisor);

  @AfterEach
  void close() {
    topic.close();
  }

  private void write(String program, String instance, Amount ask) {
    log.write(
        Json.write(
            new SpendingRecord(
                program, instance, 1, CAP, WINDOW, 0, Amount.ZERO, ask, Amount.ZERO, null)));
  }

  @Test
  void recordsOfOtherProgramsNeedNoAccount() {
    for (int i = 0; i < 3_000; i++) {
      write("program-" + i, "other", Amount.of(0.1, 0));
    }
    until(log::isFollowed);
    assertThat(topic.programs()).isZero();
  }

  @Test
  void anAccountThatIsOpenedLaterKnowsWhatOthersHadLeasedBefore() {
    write("p", "other", Amount.of(0.75, 0));
    write("q", "other", Amount.of(0.25, 0));
    until(log::isFollowed);

    SpendingAccount account = topic.account("p");
    account.limitBy(() -> new Spending(1.0, null, Duration.ofMillis(WINDOW)));
    until(() -> account.leased().equals(Amount.of(0.75, 0)));
    SpendingAccount another = topic.account("q");
    until(() -> another.leased().equals(Amount.of(0.25, 0)));
    assertThat(account.leased()).as("read again, not counted again").isEqualTo(Amount.of(0.75, 0));

    write("p", "third", Amount.of(0.25, 0));
    until(() -> account.leased().equals(Amount.of(1, 0)));
    assertThat(topic.programs()).isEqualTo(2);
  }

  @Test
  void otherProgramsDoNotWaitWhileTheTopicIsReadForANewAccount() {
    write("q", "other", Amount.of(0.25, 0));
    write("p", "other", Amount.of(0.5, 0));
    SpendingAccount account = topic.account("p");
    account.limitBy(() -> new Spending(1.0, null, Duration.ofMillis(WINDOW)));
    until(() -> account.leased().equals(Amount.of(0.5, 0)));
    log.pastIsSlow = true;

    SpendingAccount another = topic.account("q");
    write("p", "third", Amount.of(0.25, 0));
    until(() -> account.leased().equals(Amount.of(0.75, 0)));
    write("q", "third", Amount.of(0.5, 0));
    until(log::isFollowed);
    assertThat(another.leased()).isEqualTo(Amount.ZERO);

    log.pastIsSlow = false;
    until(() -> another.leased().equals(Amount.of(0.75, 0)));
  }

  @Test
  void aTopicThatTakesNoRecordsIsTroubleUntilItDoes() {
    producer.sendException = new RecordTooLargeException("larger than the topic allows");
    SpendingAccount account = topic.account("p");
    account.limitBy(() -> new Spending(1.0, null, Duration.ofMillis(WINDOW)));
    until(() -> {
      var _ = account.reserve(Amount.of(0.1, 0));
      return supervisor.troubled().stream()
          .anyMatch(thread -> thread.describe().contains("larger than the topic allows"));
    });

    producer.sendException = null;
    until(() -> {
      var _ = account.reserve(Amount.of(0.1, 0));
      return supervisor.threads().stream().allMatch(thread -> thread.cause() == null);
    });
  }

  @Test
  void anAccountKnowsTheLeasesOfOthersAlsoIfTheTopicCannotBeReadAtFirst() {
    write("p", "other", Amount.of(0.75, 0));
    until(log::isFollowed);
    log.unreachable = 2;

    SpendingAccount account = topic.account("p");
    account.limitBy(() -> new Spending(1.0, null, Duration.ofMillis(WINDOW)));
    until(() -> account.leased().equals(Amount.of(0.75, 0)));
    assertThat(log.unreachable).isZero();
  }

  @Test
  void anAccountFollowsATopicThatWasCreatedAnew() {
    SpendingAccount account = topic.account("p");
    account.limitBy(() -> new Spending(1.0, null, Duration.ofMillis(WINDOW)));
    for (int i = 0; i < 5; i++) {
      write("q", "other", Amount.of(0.75, 0));
    }
    until(log::isFollowed);
    assertThat(account.reserve(Amount.of(0.1, 0))).as("asks").isNull();
    until(() -> producer.history().size() == 1);

    log.createAnew();
    write("p", "other", Amount.of(0.75, 0));
    until(() -> account.leased().equals(Amount.of(0.75, 0)));
    assertThat(account.reserve(Amount.of(0.1, 0))).isNull();
    until(() -> producer.history().size() == 2);
  }
}

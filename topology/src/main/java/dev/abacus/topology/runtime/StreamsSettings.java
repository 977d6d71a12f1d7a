package dev.abacus.topology.runtime;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.LogAndFailProcessingExceptionHandler;
import org.apache.kafka.streams.processor.assignment.assignors.StickyTaskAssignor;

/**
 * The Kafka Streams properties that asynchronous processors need.
 *
 * <table>
 * <caption>Properties and reasons</caption>
 * <tr><td>{@code processing.guarantee}</td><td>{@code exactly_once_v2}; fixed</td></tr>
 * <tr><td>{@code processing.exception.handler}</td><td>fail; fixed. An exception is a bug or a lost
 *     transaction; to continue would commit half of its work</td></tr>
 * <tr><td>{@code production.exception.handler}</td><td>fail, because an output that cannot be sent
 *     must not be lost. {@link RefusedRecords} remembers it for the second attempt</td></tr>
 * <tr><td>{@code default.timestamp.extractor}</td><td>{@link SourceTimestamps}: a record without a
 *     timestamp must not end the stream thread</td></tr>
 * <tr><td>{@code message.timestamp.after.max.ms}, {@code message.timestamp.before.max.ms} of internal
 *     topics</td><td>unlimited: the timestamp of a group is the end of its window, which may be in
 *     the future</td></tr>
 * <tr><td>{@code commit.interval.ms}</td><td>500: with caching, a record that is forwarded within
 *     one interval costs its changelog one record instead of two</td></tr>
 * <tr><td>{@code poll.ms}</td><td>5: the thread must look for finished work; 100 while it has none</td></tr>
 * <tr><td>{@code statestore.cache.max.bytes}</td><td>as given; must hold the records of one commit
 *     interval</td></tr>
 * <tr><td>{@code max.poll.records}</td><td>100: under backpressure each record takes up to 100 ms,
 *     and the thread polls again after the last one. Restoration has Kafka's default</td></tr>
 * <tr><td>{@code task.assignor.class}</td><td>{@link StickyTaskAssignor}: the default assignor moves
 *     a task only to a member whose copy of the state lacks at most 10,000 <em>offsets</em> of the
 *     changelog, and asks again after ten minutes. A changelog of pending records soon has more
 *     offsets, but few records, so a new member would wait for nothing</td></tr>
 * <tr><td>{@code heartbeat.interval.ms}</td><td>1,000: with its next heartbeat a member learns that
 *     another one left, and takes over its partitions</td></tr>
 * <tr><td>{@code transaction.timeout.ms}</td><td>60,000: backpressure counts against it</td></tr>
 * <tr><td>{@code max.request.size}, {@code max.message.bytes} of internal topics</td><td>the record
 *     limit plus headroom</td></tr>
 * <tr><td>{@code ensure.explicit.internal.resource.naming}</td><td>true: a changelog with a
 *     generated name is lost when the topology changes</td></tr>
 * </table>
 *
 * @param applicationId prefix of internal topics, consumer group and transactional ids
 * @param stateDirectory directory of this instance alone, and the same after a restart: the process
 *     id in it lets a restarted instance fence its own transactions
 * @param threads number of stream threads, at least 1
 * @param cacheBytes memory for store caches, shared by the threads
 * @param recordLimit see {@link RuntimeSettings#recordLimit}; the largest of all processors
 * @param overrides Kafka properties of the user, with or without the prefixes of Kafka Streams;
 *     they have priority
 */
public record StreamsSettings(
    String applicationId,
    String bootstrapServers,
    String stateDirectory,
    int threads,
    long cacheBytes,
    int recordLimit,
    Map<String, String> overrides) {

  /** The properties that exactly-once needs, with their only valid value. */
  private static final Map<String, String> FIXED =
      Map.of(
          StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2,
          StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG,
              LogAndFailProcessingExceptionHandler.class.getName(),
          ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false",
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true",
          ProducerConfig.ACKS_CONFIG, "all");

  /** True by default from Kafka 5.0 on; the constant of Kafka Streams is deprecated already. */
  private static final String GLOBAL_HANDLER = "processing.exception.handler.global.enabled";

  private static final Set<String> FORBIDDEN = Set.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG);

  private static final List<String> PREFIXES =
      List.of(
          StreamsConfig.MAIN_CONSUMER_PREFIX,
          StreamsConfig.RESTORE_CONSUMER_PREFIX,
          StreamsConfig.GLOBAL_CONSUMER_PREFIX,
          StreamsConfig.CONSUMER_PREFIX,
          StreamsConfig.PRODUCER_PREFIX,
          StreamsConfig.TOPIC_PREFIX,
          StreamsConfig.ADMIN_CLIENT_PREFIX);

  public StreamsSettings {
    overrides = Map.copyOf(overrides);
    overrides.forEach(StreamsSettings::check);
  }

  private static void check(String name, String value) {
    String bare = withoutPrefix(name);
    String only = FIXED.get(bare);
    if (FORBIDDEN.contains(bare)) {
      throw new IllegalArgumentException(name + " cannot be set: exactly-once needs it");
    }
    if (only != null && !only.equals(value)) {
      throw new IllegalArgumentException(
          "%s must stay %s, not %s: exactly-once needs it".formatted(name, only, value));
    }
  }

  /** Whether Kafka Streams uses a setting itself, or for one of its clients. */
  public static boolean takes(String name) {
    return StreamsConfig.configDef().names().contains(name)
        || PREFIXES.stream().anyMatch(name::startsWith);
  }

  private static String withoutPrefix(String name) {
    for (String prefix : PREFIXES) {
      if (name.startsWith(prefix)) {
        return name.substring(prefix.length());
      }
    }
    return name;
  }

  /** The properties for {@code KafkaStreams}. */
  public Properties toProperties() {
    Map<String, Object> all = new HashMap<>(defaults());
    // Kafka Streams prefers a property with a prefix. The user's value has priority with and
    // without one.
    all.keySet().removeIf(name -> overrides.containsKey(withoutPrefix(name)));
    all.putAll(overrides);
    Properties properties = new Properties();
    properties.putAll(all);
    return properties;
  }

  private Map<String, Object> defaults() {
    int largest = new RecordSizes(recordLimit).largestMessage();
    return Map.ofEntries(
        Map.entry(StreamsConfig.APPLICATION_ID_CONFIG, applicationId),
        Map.entry(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
        Map.entry(StreamsConfig.STATE_DIR_CONFIG, stateDirectory),
        Map.entry(StreamsConfig.NUM_STREAM_THREADS_CONFIG, threads),
        Map.entry(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2),
        Map.entry(
            StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG,
            LogAndFailProcessingExceptionHandler.class.getName()),
        Map.entry(GLOBAL_HANDLER, true),
        // The partition assignor reads its settings from those of the consumer, and warns without.
        Map.entry(StreamsConfig.mainConsumerPrefix(GLOBAL_HANDLER), true),
        Map.entry(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 500),
        Map.entry(StreamsConfig.POLL_MS_CONFIG, 5),
        Map.entry(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, cacheBytes),
        Map.entry(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true),
        Map.entry(
            StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG,
            RefusedRecords.Handler.class.getName()),
        Map.entry(StreamsConfig.TASK_ASSIGNOR_CLASS_CONFIG, StickyTaskAssignor.class.getName()),
        Map.entry(StreamsConfig.mainConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 100),
        Map.entry(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1000),
        Map.entry(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 60_000),
        Map.entry(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), largest),
        Map.entry(
            StreamsConfig.DEFAULT_TIMESTAMP_EXTRACTOR_CLASS_CONFIG,
            SourceTimestamps.class.getName()),
        Map.entry(
            StreamsConfig.topicPrefix(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG),
            Long.MAX_VALUE),
        Map.entry(
            StreamsConfig.topicPrefix(TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG),
            Long.MAX_VALUE),
        // Brokers may have a limit for topics without one: it would delete documents in process.
        Map.entry(StreamsConfig.topicPrefix(TopicConfig.RETENTION_BYTES_CONFIG), -1),
        Map.entry(StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG), largest));
  }
}

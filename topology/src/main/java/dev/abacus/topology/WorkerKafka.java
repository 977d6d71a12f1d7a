package dev.abacus.topology;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.RedactingInterceptor;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Settings.Ordering;
import dev.abacus.schemas.secret.Redactor;
import dev.abacus.topology.journey.JourneySettings;
import dev.abacus.topology.journey.JourneyTopic;
import dev.abacus.topology.journey.Journeys;
import dev.abacus.topology.runtime.Ownership;
import dev.abacus.topology.runtime.RecordSizes;
import dev.abacus.topology.runtime.RuntimeSettings;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;

/** How the programs of one instance use Kafka: names, clients and limits. */
record WorkerKafka(WorkerConfig config, Admin admin, Redactor redactor) {

  private static final String PRODUCER_INTERCEPTORS =
      StreamsConfig.producerPrefix("interceptor.classes");

  /** Kafka's default of {@code session.timeout.ms}, with both group protocols. */
  private static final Duration DEFAULT_SESSION = Duration.ofSeconds(45);

  /** Store caches of an application; they must hold the records of one commit interval. */
  private static final long CACHE_BYTES = 32L * 1024 * 1024;

  String instance() {
    return config.instanceId();
  }

  KafkaNames names() {
    return config.names();
  }

  StreamsGroups groups() {
    return new StreamsGroups(admin, config.names(), config.followerProperties());
  }

  Map<String, Object> clientProperties() {
    return config.clientProperties();
  }

  /** As {@link #clientProperties}, for producers of records that must not contain secrets. */
  Map<String, Object> redactingClientProperties() {
    Map<String, Object> properties = new HashMap<>(config.clientProperties());
    properties.putAll(RedactingInterceptor.properties(redactor, config.clientProperties()));
    return properties;
  }

  /** A topic that is written beside the transactions of documents. */
  Journeys.Writer written(TopicSpec topic) {
    return new JourneyTopic(topic, redactingClientProperties(), admin, replicationFactor());
  }

  /** The journeys of a program's documents; null if none are recorded. */
  @Nullable Journeys journeys(String program, Clock clock) {
    JourneySettings settings = JourneySettings.of(config, instance());
    return settings == null
        ? null
        : new Journeys(
            settings,
            program,
            written(TopicSpec.ofJourneys(names(), program)),
            JourneyTopic.thread(program),
            clock);
  }

  short replicationFactor() {
    return config.getShort(WorkerConfig.REPLICATION_FACTOR);
  }

  /** The largest document, in bytes. */
  private int recordLimit() {
    return config.getInt(WorkerConfig.DOCUMENT_MAX_BYTES);
  }

  /** The largest message of a topic with documents, in bytes. */
  int largestMessage() {
    return new RecordSizes(recordLimit()).largestMessage();
  }

  /** Settings of processors. A task needs about twice the concurrency limit to use all of it. */
  RuntimeSettings settings(Ordering ordering) {
    return RuntimeSettings.defaults()
        .withOrdering(ordering)
        .withPendingBound(Math.max(100, 2 * config.getInt(WorkerConfig.IN_FLIGHT)))
        .withRecordLimit(recordLimit())
        .withNames(names());
  }

  Properties streamsProperties(String application) {
    Properties properties = config.streams(application, CACHE_BYTES).toProperties();
    Object interceptors = properties.get(PRODUCER_INTERCEPTORS);
    RedactingInterceptor.properties(
            redactor, interceptors == null ? Map.of() : Map.of("interceptor.classes", interceptors))
        .forEach((name, value) -> properties.put(StreamsConfig.producerPrefix(name), value));
    return properties;
  }

  /** The members of an application's group. */
  Ownership membership(String application) {
    Object session =
        new StreamsConfig(streamsProperties(application))
            .getMainConsumerConfigs(application, application, 0)
            .get(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);
    return new GroupMembership(
        application,
        session == null
            ? DEFAULT_SESSION
            : Duration.ofMillis(Long.parseLong(String.valueOf(session))),
        () -> StreamsGroups.clients(admin, application),
        System::nanoTime);
  }
}

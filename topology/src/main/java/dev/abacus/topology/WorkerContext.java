package dev.abacus.topology;

import dev.abacus.schemas.access.RoleAccess;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.AnswerReuse;
import dev.abacus.schemas.control.OperatorReuse;
import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.ProcessConfig;
import dev.abacus.schemas.kafka.RedactingInterceptor;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.monitor.HttpListener;
import dev.abacus.schemas.monitor.MonitorServer;
import dev.abacus.schemas.program.Settings.Ordering;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.secret.ConfiguredSecrets;
import dev.abacus.schemas.secret.Redactor;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.answer.AnswerStore;
import dev.abacus.topology.answer.AnswerTopic;
import dev.abacus.topology.journey.JourneySettings;
import dev.abacus.topology.journey.JourneyTopic;
import dev.abacus.topology.journey.Journeys;
import dev.abacus.topology.model.CallCounters;
import dev.abacus.topology.model.ModelInventory;
import dev.abacus.topology.model.Retries;
import dev.abacus.topology.model.RetryPolicy;
import dev.abacus.topology.model.admission.AdmissionController;
import dev.abacus.topology.model.admission.AdmissionTimer;
import dev.abacus.topology.model.media.MediaPolicy;
import dev.abacus.topology.model.openai.Endpoints;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.runtime.Commits;
import dev.abacus.topology.runtime.OpenCalls;
import dev.abacus.topology.runtime.Ownership;
import dev.abacus.topology.runtime.RecordSizes;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import dev.abacus.topology.spending.Bill;
import dev.abacus.topology.spending.SpendingTopic;
import dev.abacus.topology.telemetry.Tracing;
import dev.abacus.topology.version.VersionCodec;
import dev.abacus.topology.version.VersionTopic;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;

/** The settings and services that the programs of one instance share. */
record WorkerContext(
    WorkerConfig config,
    Admin admin,
    ModelCatalogue catalogue,
    Redactor redactor,
    ModelAccess models,
    CallCounters calls,
    AdmissionController admission,
    OperatorRuntime sampleOperators,
    Scorer scorer,
    @Nullable AvroValues avro,
    RuntimeServices runtime,
    OpenCalls openCalls,
    @Nullable MonitorServer monitor,
    SpendingTopic spending,
    VersionTopic versions,
    @Nullable SleepWatch sleep,
    @Nullable AnswerTopic answers,
    Supervisor supervisor,
    RoleAccess access,
    StateFolder state,
    Tracing tracing,
    Clock clock) {

  private static final String PRODUCER_INTERCEPTORS =
      StreamsConfig.producerPrefix("interceptor.classes");

  /** After this time, a transition of a worker that died no longer delays the others. */
  private static final int VERSION_TIMEOUT_MS = 10_000;

  /** Kafka's default of {@code session.timeout.ms}, with both group protocols. */
  private static final Duration DEFAULT_SESSION = Duration.ofSeconds(45);

  /** Store caches of an application; they must hold the records of one commit interval. */
  private static final long CACHE_BYTES = 32L * 1024 * 1024;

  /**
   * The context of a worker.
   *
   * @param onVersions hears of programs whose versions changed
   */
  static WorkerContext of(
      WorkerConfig config,
      Admin admin,
      ModelCatalogue catalogue,
      RoleAccess access,
      VersionTopic.Listener onVersions) {
    // What may be refused comes before what has to be closed.
    Redactor redactor = ConfiguredSecrets.redactor(config.originals(), catalogue, System::getenv);
    Endpoints endpoints = ProcessConfig.checked(() -> endpoints(config, catalogue));
    AvroValues avro = AvroValues.connect(config.originals());
    MonitorServer monitor =
        MonitorServer.open(HttpListener.parse(config.getString(WorkerConfig.HTTP_LISTENER)));
    StateFolder state;
    Tracing tracing;
    try {
      tracing = ProcessConfig.checked(() -> Tracing.configured(System::getenv, redactor));
      state =
          StateFolder.open(
              Path.of(config.getString(WorkerConfig.STATE_DIR)), config.names().application(""));
    } catch (ConfigException e) {
      if (monitor != null) {
        monitor.close();
      }
      throw e;
    }
    RetryPolicy policy =
        RetryPolicy.DEFAULT.withMaxAttempts(config.getInt(WorkerConfig.MODEL_ATTEMPTS));
    CallCounters calls = new CallCounters();
    Bill bill = new Bill(catalogue, config.instanceId(), Clock.systemUTC());
    Supervisor supervisor =
        new Supervisor(
            RestartPolicy.standard(KafkaException.class::isInstance),
            Clock.systemUTC(),
            access::describe);
    AdmissionController admission =
        new AdmissionController(
            catalogue,
            config.admission(),
            AdmissionTimer.system(supervisor.watch("admission of model calls")),
            new Random());
    ModelAccess models =
        ModelAccess.of(
            catalogue,
            endpoints,
            mediaPolicy(config),
            Retries.of(policy, new Random()),
            admission,
            List.of(calls, bill),
            tracing);
    AnswerTopic answers =
        answers(config, redacting(redactor, config), catalogue, models.inventory(), supervisor);
    return new WorkerContext(
        config,
        admin,
        catalogue,
        redactor,
        models,
        calls,
        admission,
        new OperatorRuntime(models.sampleEmbedders(), models.tokens()::tokenizer),
        new Scorer(new Judge(catalogue)),
        avro,
        RuntimeServices.of(config.getInt(WorkerConfig.IN_FLIGHT))
            .withCommits(Commits.ofTransactions()),
        OpenCalls.of(config.getInt(WorkerConfig.IN_FLIGHT)),
        monitor,
        SpendingTopic.start(config.clientProperties(), config.instanceId(), bill, supervisor),
        versions(config, redacting(redactor, config), admin, catalogue, supervisor, onVersions),
        sleep(config, admin, supervisor),
        answers,
        supervisor,
        access,
        state,
        tracing,
        Clock.systemUTC());
  }

  private static VersionTopic versions(
      WorkerConfig config,
      Map<String, Object> redacting,
      Admin admin,
      ModelCatalogue catalogue,
      Supervisor supervisor,
      VersionTopic.Listener listener) {
    Map<String, Object> reading = config.followerProperties();
    return new VersionTopic(
        ByteClients.consumer(reading),
        config.names(),
        new VersionTopic.Clients() {
          @Override
          public Producer<byte[], byte[]> producer(String transactionalId) {
            Map<String, Object> writing = new HashMap<>(redacting);
            writing.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
            writing.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, VERSION_TIMEOUT_MS);
            return ByteClients.producer(writing);
          }

          @Override
          public ConsumerGroupMetadata group(String id) {
            Map<String, Object> member = new HashMap<>(reading);
            member.put(ConsumerConfig.GROUP_ID_CONFIG, id);
            member.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
            try (Consumer<byte[], byte[]> consumer = ByteClients.consumer(member)) {
              return consumer.groupMetadata();
            }
          }
        },
        new VersionCodec(new ProgramParser(catalogue)),
        () -> TopicSetup.end(admin, config.names().versions()),
        supervisor,
        listener);
  }

  private static @Nullable SleepWatch sleep(
      WorkerConfig config, Admin admin, Supervisor supervisor) {
    return config.getLong(WorkerConfig.SLEEP_AFTER_MS) == 0
        ? null
        : new SleepWatch(
            new StreamsGroups(admin, config.names(), config.followerProperties()), supervisor);
  }

  /** Time without work after which an application sleeps, if it may. */
  Duration sleepAfter() {
    Duration after = Duration.ofMillis(config.getLong(WorkerConfig.SLEEP_AFTER_MS));
    return after.compareTo(SleepWatch.LOOK) < 0 ? SleepWatch.LOOK : after;
  }

  private static Endpoints endpoints(WorkerConfig config, ModelCatalogue catalogue) {
    Endpoints endpoints =
        Endpoints.of(config.getString(WorkerConfig.MODEL_ENDPOINT), config.modelKey());
    endpoints.requireValid(catalogue);
    return endpoints;
  }

  private static @Nullable AnswerTopic answers(
      WorkerConfig config,
      Map<String, Object> clientProperties,
      ModelCatalogue catalogue,
      ModelInventory endpoints,
      Supervisor supervisor) {
    AnswerStore.Settings settings = config.answers();
    return settings == null
        ? null
        : new AnswerTopic(
            clientProperties,
            settings,
            name -> {
              ModelCard card = catalogue.find(name);
              return card == null ? null : AnswerStore.identity(card, endpoints.address(card));
            },
            Clock.systemUTC(),
            new RecordSizes(config.getInt(WorkerConfig.DOCUMENT_MAX_BYTES)).largestMessage(),
            supervisor);
  }

  private static MediaPolicy mediaPolicy(WorkerConfig config) {
    List<String> hosts = config.getList(WorkerConfig.MEDIA_HOSTS);
    MediaPolicy policy =
        hosts.isEmpty() ? MediaPolicy.BY_REFERENCE : MediaPolicy.fetchedFrom(Set.copyOf(hosts));
    return policy.withPages(config.getInt(WorkerConfig.MEDIA_PAGES));
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
    return redacting(redactor, config);
  }

  private static Map<String, Object> redacting(Redactor redactor, WorkerConfig config) {
    Map<String, Object> properties = new HashMap<>(config.clientProperties());
    properties.putAll(RedactingInterceptor.properties(redactor, config.clientProperties()));
    return properties;
  }

  /**
   * The part of the answer store in the calls of a program; null without a store.
   *
   * @param operators the latest requests by operator
   */
  @Nullable AnswerReuse reuse(String program, List<OperatorReuse> operators) {
    return answers == null ? null : answers.store().reuse(program).withOperators(operators);
  }

  /** The registry for metrics of Kafka Streams; null if metrics are not served. */
  @Nullable MeterRegistry meters() {
    MonitorServer server = monitor;
    return server == null ? null : server.registry();
  }

  /** The journeys of a program's documents; null if none are recorded. */
  @Nullable Journeys journeys(String program) {
    JourneySettings settings = JourneySettings.of(config, config.instanceId());
    return settings == null
        ? null
        : new Journeys(
            settings,
            program,
            written(TopicSpec.ofJourneys(names(), program)),
            JourneyTopic.thread(program),
            clock);
  }

  /** A topic that is written beside the transactions of documents. */
  Journeys.Writer written(TopicSpec topic) {
    return new JourneyTopic(topic, redactingClientProperties(), admin, replicationFactor());
  }

  short replicationFactor() {
    return config.getShort(WorkerConfig.REPLICATION_FACTOR);
  }

  int recordLimit() {
    return config.getInt(WorkerConfig.DOCUMENT_MAX_BYTES);
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

  /** Forgets a program that has stopped, so that names that come and go leave nothing. */
  void forget(String program) {
    access.forget(program);
    spending.forget(program);
    if (answers != null) {
      answers.store().forget(program);
    }
    supervisor.forget(ProgramRunner.thread(program));
  }

  /** The supervisor of threads that serve one program: their failures are no matter of others. */
  Supervisor supervisor(String program) {
    return supervisor.of(program);
  }
}

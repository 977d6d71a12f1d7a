package dev.abacus.topology;

import dev.abacus.schemas.access.MissingAclException;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.access.RoleAccess;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.monitor.BrokerWatch;
import dev.abacus.schemas.monitor.MonitorServer;
import dev.abacus.schemas.supervision.SideBySide;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadStatus;
import dev.abacus.schemas.supervision.UncaughtFailures;
import dev.abacus.schemas.value.RecordValues;
import dev.abacus.topology.control.ControlFollower;
import dev.abacus.topology.control.ProgramPlans;
import dev.abacus.topology.control.StatusFollower;
import dev.abacus.topology.control.StatusReporter;
import dev.abacus.topology.model.ModelInventory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An instance of the data plane: follows the control topic and runs every program on it. Instances
 * share the partitions of the source topics. Each needs a state directory of its own that survives
 * restarts.
 */
public final class Worker implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
  private static final String OPENAI = "https://api.openai.com";
  private static final int CONNECT_TIMEOUT_MS = 15_000;

  /** Interval at which a worker looks whether ACLs or topics were taken away. */
  private static final Duration ACCESS_INTERVAL = Duration.ofSeconds(30);

  private static final Duration LEAST_STALE = Duration.ofSeconds(10);
  private static final int STATUS_BATCH_BYTES = 128 * 1024;

  private final WorkerContext context;

  /** What was started, in the order in which it is closed. */
  private final List<AutoCloseable> parts;

  private Worker(WorkerContext context, List<AutoCloseable> parts) {
    this.context = context;
    this.parts = parts;
  }

  /**
   * Starts an instance and returns at once. A program starts when it is read from the control
   * topic.
   *
   * @throws ConfigException if a setting is wrong or missing
   * @throws IllegalArgumentException if the model catalogue cannot be read
   * @throws MissingAclException if Kafka does not allow what a worker needs without programs
   * @throws KafkaException if the cluster cannot be reached
   */
  public static Worker start(WorkerConfig config) throws InterruptedException {
    requireKey(config);
    ModelCatalogue catalogue = catalogue(config.getString(WorkerConfig.MODEL_CATALOGUE));
    Map<String, Object> adminProperties = new HashMap<>(config.clientProperties());
    adminProperties.putIfAbsent(
        AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, CONNECT_TIMEOUT_MS);
    adminProperties.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, CONNECT_TIMEOUT_MS);
    Admin admin = Admin.create(adminProperties);
    try {
      RoleAccess access = RoleAccess.of(Role.WORKER, config.clientProperties());
      if (config.answers() != null) {
        access.add(Role.ANSWERS);
      }
      access.require(admin);
      TopicSetup.ensure(admin, topics(config), config.getShort(WorkerConfig.REPLICATION_FACTOR));
      ProgramRunners programs = new ProgramRunners();
      return start(
          WorkerContext.of(config, admin, catalogue, access, programs::versionsChanged), programs);
    } catch (RuntimeException | InterruptedException e) {
      admin.close();
      throw e;
    }
  }

  private static List<TopicSpec> topics(WorkerConfig config) {
    List<TopicSpec> topics = new ArrayList<>(TopicSpec.shared(config.names()));
    if (config.answers() != null) {
      topics.add(TopicSpec.ofAnswers(config.names()));
    }
    return topics;
  }

  private static Worker start(WorkerContext context, ProgramRunners programs) {
    WorkerKafka kafka = context.kafka();
    WorkerModels models = context.models();
    StreamsServices streams = context.streams();
    Duration interval = Duration.ofMillis(kafka.config().getLong(WorkerConfig.STATUS_INTERVAL_MS));
    Supervisor supervisor = streams.supervisor();
    UncaughtFailures uncaught = UncaughtFailures.reportTo(supervisor);
    ControlFollower control = control(context, programs);
    ModelInventory inventory = models.access().inventory();
    Supervisor.SupervisedThread checks =
        supervisor.startAuxiliary(
            "models",
            _ -> {
              inventory.check();
              return inventory.interval();
            });
    Supervisor.SupervisedThread access =
        supervisor.startAuxiliary(
            "access",
            _ -> {
              context.access().watch(kafka.admin(), supervisor);
              return ACCESS_INTERVAL;
            });
    StatusFollower.Self self =
        new StatusFollower.Self(kafka.instance(), UUID.randomUUID().toString());
    StatusReporter status =
        new StatusReporter(
            ByteClients.producer(statusProperties(context)),
            kafka.names().status(),
            self.process(),
            () -> statuses(context, programs, control.programs()),
            interval,
            supervisor);
    StatusFollower others =
        new StatusFollower(
            new StatusFollower.Feed(
                ByteClients.consumer(kafka.config().followerProperties()), kafka.names().status()),
            self,
            staleAfter(interval),
            streams.clock(),
            supervisor,
            demands -> models.admission().share(demands, interval.multipliedBy(2)));
    LOG.info("Worker {} started; it reads the control topic", kafka.instance());
    BrokerWatch broker =
        BrokerWatch.start(
            () -> Admin.create(kafka.clientProperties()), BrokerWatch.INTERVAL, streams.clock());
    MonitorServer monitor = streams.monitor();
    if (monitor != null) {
      WorkerMonitor watched = new WorkerMonitor(context, programs, broker);
      monitor.serve(watched::addMetrics, watched::health);
    }
    List<@Nullable AutoCloseable> parts =
        Arrays.asList(
            monitor,
            broker,
            others,
            streams.sleep(),
            programs,
            control, // Documents that arrive while programs stop still get the active plan.
            new SideBySide(
                Stream.of(
                        models.spending(),
                        context.versions(),
                        models.answers(),
                        status,
                        checks,
                        access)
                    .filter(Objects::nonNull)
                    .toList()),
            models.admission(),
            models.tracing(),
            context.avro(),
            () -> kafka.admin().close(Duration.ZERO), // nobody waits for an answer any more
            context.state(),
            uncaught);
    return new Worker(context, parts.stream().filter(Objects::nonNull).toList());
  }

  private static ControlFollower control(WorkerContext context, ProgramRunners programs) {
    return new ControlFollower(
        ByteClients.consumer(context.kafka().config().followerProperties()),
        context.kafka().names(),
        new ControlCodec(
            context.models().catalogue(),
            new RecordValues(context.avro()),
            context.kafka().config().getBoolean(WorkerConfig.FEW_SHOT)),
        context.streams().supervisor(),
        new ControlFollower.Listener() {
          @Override
          public void changed(String program, ProgramPlans plans) {
            programs.changed(program, plans, context);
          }

          @Override
          public boolean isRunning(String program) {
            return programs.contains(program);
          }

          @Override
          public void resumed(String program) {
            context.models().admission().probeNow();
            programs.resumed(program);
          }
        });
  }

  /** With a catalogue of its own, a worker may need no key of OpenAI. */
  private static void requireKey(WorkerConfig config) {
    if (config.getString(WorkerConfig.MODEL_ENDPOINT).startsWith(OPENAI)
        && config.modelKey() == null
        && config.getString(WorkerConfig.MODEL_CATALOGUE) == null) {
      throw new ConfigException(
          "no model key: set OPENAI_API_KEY or %s, or another endpoint by %s"
              .formatted(WorkerConfig.MODEL_KEY, WorkerConfig.MODEL_ENDPOINT));
    }
  }

  private static ModelCatalogue catalogue(@Nullable String file) {
    ModelCatalogue builtIn = ModelCatalogue.builtIn();
    return file == null ? builtIn : builtIn.extendedBy(Path.of(file));
  }

  /** Another instance that misses five intervals, or is silent for ten seconds, has stopped. */
  private static Duration staleAfter(Duration interval) {
    Duration five = interval.multipliedBy(5);
    return five.compareTo(LEAST_STALE) < 0 ? LEAST_STALE : five;
  }

  /** The reports of all programs of a process have much in common: together they are small. */
  private static Map<String, Object> statusProperties(WorkerContext context) {
    Map<String, Object> properties = new HashMap<>(context.kafka().redactingClientProperties());
    properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "gzip");
    properties.put(ProducerConfig.BATCH_SIZE_CONFIG, STATUS_BATCH_BYTES);
    return properties;
  }

  private static List<InstanceStatus> statuses(
      WorkerContext context, ProgramRunners programs, Set<String> known) {
    String instance = context.kafka().instance();
    Instant now = context.streams().clock().instant();
    List<InstanceStatus> statuses = new ArrayList<>(programs.statuses());
    List<ThreadStatus> troubled = context.streams().supervisor().troubled();
    if (!troubled.isEmpty()) {
      // Programs start when the control topic is read to its end, which may not succeed.
      String state = ProgramRunner.DEGRADED + troubled.getFirst().describe();
      known.stream()
          .filter(name -> !programs.contains(name))
          .map(name -> InstanceStatus.builder(name, instance, now, state))
          .map(status -> status.threads(context.streams().supervisor().threads()).build())
          .forEach(statuses::add);
    }
    return statuses;
  }

  /** The states of the long-lived threads of this instance. */
  public List<ThreadStatus> threads() {
    return context.streams().supervisor().threads();
  }

  /** Completes when a thread cannot continue; the process must then end. */
  public CompletableFuture<ThreadStatus> failure() {
    return context.streams().supervisor().failure();
  }

  /**
   * Leaves the cluster at once; the next owners of the partitions resume in-flight documents. Then
   * waits up to 20 seconds for calls that are running, and records their answers for the next
   * owners.
   */
  @Override
  public void close() {
    LOG.info("Worker {} stops", context.kafka().instance());
    parts.forEach(part -> Utils.closeQuietly(part, part.getClass().getSimpleName()));
  }
}

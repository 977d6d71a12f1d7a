package dev.abacus.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.local.SecuredKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.optimizer.api.OptimizerService;
import dev.abacus.schemas.access.MissingAclException;
import dev.abacus.schemas.access.RequiredAcl;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.access.RoleAccess;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.supervision.ThreadStatus;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The least set of ACLs of each role on a broker with an authorizer: it suffices, all of it is
 * used, and each missing operation is named.
 */
@Order(1)
class AclIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String CHANGELOG = "abacus-p-pending-changelog";

  private static final String PROGRAM = AclProgram.text("in", "ref", "out");

  @TempDir private Path folder;

  private Program program;
  private final Instant start = Instant.now();
  private final Map<Role, Admin> admins = new EnumMap<>(Role.class);
  private int sent;
  private List<String> unused = List.of();

  private static String user(Role role) {
    return role.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private List<RequiredAcl> least(Role role) {
    return Stream.concat(
            role.shared(KafkaNames.UNPREFIXED).stream(),
            role.of(program, KafkaNames.UNPREFIXED).stream())
        .toList();
  }

  @BeforeEach
  void parse() throws Exception {
    program = AclProgram.of("in", "ref", "out");
  }

  @Test
  void whateverIsMissingIsNamed() throws Exception {
    try (SecuredKafka kafka = start()) {
      create(kafka, CHANGELOG); // As Kafka Streams does.
      for (Role role : Role.values()) {
        eachMissingAclIsNamed(kafka, role);
      }
      commandsNameWhatIsMissing(kafka);
    }
  }

  @Test
  void theLeastSetSufficesAndAllOfItIsUsed() throws Exception {
    try (SecuredKafka kafka = start();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        Worker worker = Worker.start(worker(kafka, models));
        OptimizerService optimizer = OptimizerService.start(optimizer(kafka));
        Consumer<byte[], byte[]> results = results(kafka)) {
      send(kafka, "ref", "1", "{\"id\": \"1\", \"text\": \"one\"}");
      send(kafka, "in", "1", "{");
      assertThat(run(kafka, user(Role.APPLY), "apply", file().toString()).exit()).isZero();
      send(kafka, KafkaNames.UNPREFIXED.control(), "budget/p", "{");
      awaitResult(kafka, results);
      assertThat(run(kafka, user(Role.STATUS), "status").out()).contains("p: epoch");
      assertThat(worker.threads()).allMatch(ThreadStatus::works);
      assertThat(optimizer.threads()).allMatch(ThreadStatus::works);
      await("every ACL is used", () -> unused(kafka).isEmpty());
      anAclIsTakenAwayAndGivenBack(kafka, worker, results);
      theOptimizerNamesAnAclThatIsTakenAway(kafka, optimizer);
      aSourceThatGrowsNeedsMoreRights(kafka, worker, results);
      theCertificateOfTheBrokerIsRotated(kafka, results);
    } finally {
      System.out.println("unused: " + unused);
    }
  }

  private Path file() throws IOException {
    return Files.writeString(folder.resolve("p.yaml"), PROGRAM);
  }

  /** A broker with the topics of the program, on which each role has its least set. */
  private SecuredKafka start() throws Exception {
    List<Role> roles = List.of(Role.values());
    SecuredKafka kafka = SecuredKafka.start(roles.stream().map(AclIT::user).toList());
    for (Role role : roles) {
      kafka.grant(user(role), least(role));
    }
    Run created = run(kafka, SecuredKafka.ADMIN, "topics", "create", file().toString());
    assertThat(created.exit()).isZero();
    // As a worker with an answer store, a program with a review, and `replay` do.
    create(
        kafka,
        KafkaNames.UNPREFIXED.answers(),
        KafkaNames.UNPREFIXED.review(program.name()),
        KafkaNames.UNPREFIXED.replayed(program.name()));
    return kafka;
  }

  private static void create(SecuredKafka kafka, String... topics) throws Exception {
    List<NewTopic> created =
        Stream.of(topics).map(topic -> new NewTopic(topic, 1, (short) 1)).toList();
    kafka.admin().createTopics(created).all().get();
  }

  /** Its password is in a file. */
  private WorkerConfig worker(SecuredKafka kafka, SimulatedEndpoint models) throws IOException {
    Map<String, Object> properties = new HashMap<>(kafka.properties(user(Role.WORKER)));
    String jaas =
        Objects.requireNonNull(kafka.properties(user(Role.WORKER)).get("sasl.jaas.config"));
    String password = jaas.replaceAll(".*password=\"([^\"]*)\".*", "$1");
    Path secret =
        Files.writeString(folder.resolve("secret.properties"), "password=" + password + "\n");
    properties.put(
        "sasl.jaas.config", jaas.replace(password, "${file:%s:password}".formatted(secret)));
    properties.put("config.providers", "file");
    properties.put("config.providers.file.class", FileConfigProvider.class.getName());
    properties.put(WorkerConfig.STATE_DIR, folder.resolve("state").toString());
    properties.put(WorkerConfig.MODEL_ENDPOINT, models.baseUri().toString());
    properties.put(WorkerConfig.MODEL_KEY, "none");
    properties.put(WorkerConfig.STATUS_INTERVAL_MS, 200);
    properties.put("repartition.purge.interval.ms", "500");
    return new WorkerConfig(properties);
  }

  private static OptimizerConfig optimizer(SecuredKafka kafka) {
    Map<String, Object> properties = new HashMap<>(kafka.properties(user(Role.OPTIMIZER)));
    properties.put(OptimizerConfig.STREAM_EXAMPLES, 1);
    properties.put(OptimizerConfig.STREAM_EXAMPLES_AFTER_MS, 100);
    return new OptimizerConfig(properties);
  }

  private static Run run(SecuredKafka kafka, String user, String... command) {
    List<String> arguments = new ArrayList<>(List.of(command));
    kafka
        .properties(user)
        .forEach((name, value) -> arguments.addAll(List.of("-X", name + "=" + value)));
    return Run.of(arguments.toArray(String[]::new));
  }

  private static Consumer<byte[], byte[]> results(SecuredKafka kafka) {
    Consumer<byte[], byte[]> consumer =
        new KafkaConnection(kafka.properties(SecuredKafka.ADMIN)).consumer(Map.of());
    consumer.assign(
        consumer.partitionsFor("out").stream()
            .map(info -> new TopicPartition("out", info.partition()))
            .toList());
    return consumer;
  }

  private static void send(SecuredKafka kafka, String topic, String key, String value)
      throws Exception {
    try (Producer<byte[], byte[]> producer =
        new KafkaConnection(kafka.properties(SecuredKafka.ADMIN)).producer(Map.of())) {
      producer.send(new ProducerRecord<>(topic, key.getBytes(UTF_8), value.getBytes(UTF_8))).get();
    }
  }

  /** Sends documents, whose windows end one after the other, until a result arrives. */
  private void awaitResult(SecuredKafka kafka, Consumer<byte[], byte[]> results) throws Exception {
    try (Producer<byte[], byte[]> producer =
        new KafkaConnection(kafka.properties(SecuredKafka.ADMIN)).producer(Map.of())) {
      await(
          "a result",
          () -> {
            long time = start.toEpochMilli() + 10_000L * sent++;
            byte[] value = "{\"text\": \"good day\", \"team\": \"a\"}".getBytes(UTF_8);
            var _ =
                IntStream.range(0, producer.partitionsFor("in").size())
                    .mapToObj(i -> producer.send(new ProducerRecord<>("in", i, time, null, value)))
                    .toList();
            return !results.poll(Duration.ofMillis(500)).isEmpty();
          });
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("still waiting: " + what).isLessThan(deadline);
      LockSupport.parkNanos(20_000_000);
    }
  }

  /** The ACLs of worker and optimizer that they have not made use of. */
  private List<String> unused(SecuredKafka kafka) {
    unused = new ArrayList<>();
    for (Role role : List.of(Role.WORKER, Role.OPTIMIZER)) {
      for (RequiredAcl acl : least(role)) {
        if (acl.equals(acl(role, ResourceType.TOPIC, KafkaNames.UNPREFIXED.review("p")))) {
          continue; // A program with an aggregate asks for no labels.
        }
        Set<AclOperation> never = new HashSet<>(acl.operations());
        never.removeAll(kafka.used(user(role), acl));
        if (!never.isEmpty()) {
          unused.add(role + ": " + acl.withOperations(never).describe());
        }
      }
    }
    return unused;
  }

  private void eachMissingAclIsNamed(SecuredKafka kafka, Role role) throws Exception {
    for (RequiredAcl acl : least(role)) {
      for (AclOperation operation : acl.operations()) {
        MissingAclException missing = take(kafka, role, acl, operation);
        assertThat(missing.missing()).hasSize(1);
        RequiredAcl named = missing.missing().getFirst();
        assertThat(named.resource()).isEqualTo(acl.resource());
        assertThat(named.operations()).contains(operation);
        String servers =
            Objects.requireNonNull(kafka.properties(user(role)).get("bootstrap.servers"));
        assertThat(missing)
            .hasMessageContaining("User:" + user(role))
            .hasMessageContaining(named.command(servers, "User:" + user(role)));
        give(kafka, role, acl, operation);
      }
    }
  }

  /** Takes an operation away, and waits until the broker knows; returns what is missing then. */
  private MissingAclException take(
      SecuredKafka kafka, Role role, RequiredAcl acl, AclOperation operation) throws Exception {
    kafka.revoke(user(role), acl, operation);
    AtomicReference<@Nullable MissingAclException> missing = new AtomicReference<>();
    await(
        "%s lacks %s: %s".formatted(role, operation, acl.describe()),
        () -> {
          missing.set(missing(kafka, role));
          return missing.get() != null;
        });
    return Objects.requireNonNull(missing.get());
  }

  private void give(SecuredKafka kafka, Role role, RequiredAcl acl, AclOperation operation)
      throws Exception {
    kafka.grant(user(role), acl, Set.of(operation));
    await(role + " lacks nothing", () -> missing(kafka, role) == null);
  }

  private @Nullable MissingAclException missing(SecuredKafka kafka, Role role) {
    RoleAccess access = RoleAccess.of(role, kafka.properties(user(role)));
    access.remember(List.of(program));
    Admin admin =
        admins.computeIfAbsent(role, _ -> Admin.create(Map.copyOf(kafka.properties(user(role)))));
    return catchThrowableOfType(MissingAclException.class, () -> access.requireAll(admin));
  }

  @AfterEach
  void closeClients() {
    admins.values().forEach(Admin::close);
  }

  private void commandsNameWhatIsMissing(SecuredKafka kafka) throws Exception {
    assertThat(run(kafka, user(Role.APPLY), "apply", file().toString()).exit()).isZero();
    RequiredAcl source = acl(Role.APPLY, ResourceType.TOPIC, "in");
    take(kafka, Role.APPLY, source, AclOperation.DESCRIBE);
    Run apply = run(kafka, user(Role.APPLY), "apply", file().toString());
    assertThat(apply.exit()).isEqualTo(2);
    assertThat(apply.err())
        .contains(
            "Describe on topic 'in'",
            "--allow-principal User:apply --operation Describe --topic in")
        .doesNotContain("no topic");

    RequiredAcl letters = acl(Role.LIST_DEAD_LETTERS, ResourceType.TOPIC, "p.dlq");
    take(kafka, Role.LIST_DEAD_LETTERS, letters, AclOperation.READ);
    Run list = run(kafka, user(Role.LIST_DEAD_LETTERS), "dlq", "list", file().toString());
    assertThat(list.exit()).isEqualTo(2);
    assertThat(list.err()).contains("p.dlq", "User:list-dead-letters");

    RequiredAcl control = acl(Role.OPTIMIZER, ResourceType.TOPIC, KafkaNames.UNPREFIXED.control());
    RequiredAcl status = acl(Role.WORKER, ResourceType.TOPIC, KafkaNames.UNPREFIXED.status());
    take(kafka, Role.OPTIMIZER, control, AclOperation.DESCRIBE_CONFIGS);
    take(kafka, Role.WORKER, status, AclOperation.WRITE);
    Run optimizer = run(kafka, user(Role.OPTIMIZER), "optimizer");
    assertThat(optimizer.exit()).isEqualTo(2);
    assertThat(optimizer.err()).contains("DescribeConfigs on topic 'abacus.control'");
    Run worker = run(kafka, user(Role.WORKER), "worker", "--model-endpoint", "http://localhost:1");
    assertThat(worker.exit()).isEqualTo(2);
    assertThat(worker.err()).contains("Write on topic 'abacus.status'");
    give(kafka, Role.OPTIMIZER, control, AclOperation.DESCRIBE_CONFIGS);
    give(kafka, Role.WORKER, status, AclOperation.WRITE);
  }

  private RequiredAcl acl(Role role, ResourceType type, String name) {
    return least(role).stream()
        .filter(acl -> acl.resource().resourceType() == type && acl.resource().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void anAclIsTakenAwayAndGivenBack(
      SecuredKafka kafka, Worker worker, Consumer<byte[], byte[]> results) throws Exception {
    RequiredAcl source = acl(Role.WORKER, ResourceType.TOPIC, "in");
    take(kafka, Role.WORKER, source, AclOperation.READ);
    await(
        "the worker names the topic",
        () ->
            worker.threads().stream()
                .anyMatch(thread ->
                    !thread.works()
                        && String.valueOf(thread.cause()).contains("Read on topic 'in'")));
    AtomicReference<String> status = new AtomicReference<>("");
    await(
        "the status of the program",
        () -> {
          String shown = run(kafka, user(Role.STATUS), "status").out();
          status.set(shown);
          return shown.contains("thread 'program p' fails");
        });
    assertThat(status.get())
        .doesNotContain("Topic authorization failed")
        .doesNotContain("TopicAuthorizationException");
    give(kafka, Role.WORKER, source, AclOperation.READ);
    await("the worker works", () -> worker.threads().stream().allMatch(ThreadStatus::works));
    results.seekToEnd(results.assignment());
    results.assignment().forEach(results::position);
    awaitResult(kafka, results);
  }

  /** It would use this operation only at its next start. */
  private void theOptimizerNamesAnAclThatIsTakenAway(SecuredKafka kafka, OptimizerService optimizer)
      throws Exception {
    RequiredAcl control = acl(Role.OPTIMIZER, ResourceType.TOPIC, KafkaNames.UNPREFIXED.control());
    take(kafka, Role.OPTIMIZER, control, AclOperation.DESCRIBE_CONFIGS);
    await(
        "the optimizer names the operation",
        () ->
            optimizer.threads().stream()
                .anyMatch(thread ->
                    String.valueOf(thread.cause())
                        .contains("DescribeConfigs on topic 'abacus.control'")));
    give(kafka, Role.OPTIMIZER, control, AclOperation.DESCRIBE_CONFIGS);
    await("it works", () -> optimizer.threads().stream().allMatch(ThreadStatus::works));
  }

  /** The worker may not alter its topics, until it is granted. */
  private void aSourceThatGrowsNeedsMoreRights(
      SecuredKafka kafka, Worker worker, Consumer<byte[], byte[]> results) throws Exception {
    int partitions = results.assignment().size() + 1;
    TopicSetup.grow(kafka.admin(), Map.of("in", partitions));
    await(
        "the worker names the topics",
        () ->
            worker.threads().stream()
                .anyMatch(thread ->
                    String.valueOf(thread.cause())
                        .contains(
                            "these topics need as many partitions as what is read with them: {p.receipts=%d}"
                                .formatted(partitions))));
    assertThat(run(kafka, user(Role.STATUS), "status").out()).contains("grant Alter on the topics");

    for (RequiredAcl acl : least(Role.WORKER)) {
      if (acl.occasional().contains(AclOperation.ALTER)) {
        kafka.grant(user(Role.WORKER), acl, Set.of(AclOperation.ALTER));
      }
    }
    await("the worker works", () -> worker.threads().stream().allMatch(ThreadStatus::works));
    awaitResult(kafka, results);
  }

  private void theCertificateOfTheBrokerIsRotated(
      SecuredKafka kafka, Consumer<byte[], byte[]> results) throws Exception {
    kafka.rotateCertificate();
    await("the other certificate", kafka::showsRotatedCertificate);
    assertThat(run(kafka, user(Role.STATUS), "status").exit()).isZero();
    awaitResult(kafka, results);
  }
}

package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.local.LocalRegistry;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.optimizer.api.OptimizerService;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of kcat and the programs in JavaScript of docs/clients.md. */
class ClientsIT {

  private static final Path DOCUMENT = Path.of("../../docs/clients.md");
  private static final Path PACKAGES = Path.of("target/clients");
  private static final long INSTALL_SECONDS = 120;
  private static final long RUN_SECONDS = 60;

  private static final String PROGRAM =
      """
      program: clients
      sources: { messages: { topic: clients.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      results: { topic: clients.out }
      models: [gpt-4o-mini]
      """;

  private static final String AVRO =
      """
      program: clients-avro
      sources: { messages: { topic: clients.avro.in, format: avro } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
        - project: [id, text, topic]
      results: { topic: clients.avro.out, format: avro }
      models: [gpt-4o-mini]
      """;

  @TempDir private static Path folder;

  private static final Deque<AutoCloseable> PARTS = new ArrayDeque<>();
  private static String broker = "";
  private static String registry = "";
  private static Path examples = Path.of("");

  /** A broker, a registry, a worker and an optimizer with both programs. */
  @BeforeAll
  static void start() throws Exception {
    assumeTrue(LocalRegistry.isInstalled(), "skipped: there is no schema registry in target");
    CompletableFuture<LocalRegistry> starting =
        CompletableFuture.supplyAsync(() -> LocalRegistry.start(0, null));
    LocalKafka kafka = part(LocalKafka.start());
    SimulatedEndpoint models = part(SimulatedEndpoint.start(SimulatorOptions.DEFAULTS));
    var _ = part(RunningProgram.open(kafka, PROGRAM, 1, Map.of()));
    var _ = part(RunningProgram.open(kafka, AVRO, 1, Map.of()));
    broker = kafka.bootstrapServers();
    registry = part(starting.join()).url();
    examples =
        Files.writeString(
            folder.resolve("validation.jsonl"),
            """
            {"id": "v1", "document": {"text": "Where is it?"}, "labels": {"topic": {"topic": "delay"}}}
            {"id": "v2"}
            """);
    var _ = part(worker(models));
    var _ = part(optimizer());
  }

  private static <T extends AutoCloseable> T part(T part) {
    PARTS.push(part);
    return part;
  }

  @AfterAll
  static void stop() throws Exception {
    while (!PARTS.isEmpty()) {
      PARTS.pop().close();
    }
  }

  @Test
  void kafkaJsSendsReadsAndSteers() throws Exception {
    installPackages("kafkajs", "kafkajs@2", "@kafkajs/confluent-schema-registry@3");

    assertThat(node("json.js", block("json.js")))
        .contains("\"text\":\"The parcel has not come.\"", "\"topic\":")
        .containsPattern("epoch \\d+ tenant blue") // An example may have led to another plan.
        .containsPattern("refused .*beauty");
    assertThat(node("avro.js", block("avro.js")))
        .contains("{\"id\":\"m1\",\"text\":\"The parcel has not come.\",\"topic\":\"");
  }

  @Test
  void kcatSendsReadsAndSteers() throws Exception {
    assumeTrue(runs("kcat", "-V"), "skipped: there is no kcat on this machine");
    String refused =
        "echo 'objective/clients|\"minimize beauty\"' | kcat -P -b %s -t abacus.control -K '|'\n"
            .formatted(broker);
    String commands = refused + section("kcat", 0);

    // The first run reads results before its own document has one.
    await(
        () -> finished("kcat", "sh", "-e", "-c", commands),
        "\"topic\":",
        "abacus-plan-epoch=",
        "objective/clients: ",
        "beauty");
    // Two examples without a key; the second one says nothing of its document.
    await(
        () -> finished("kcat", "kcat", "-C", "-e", "-b", broker, "-t", "abacus.status"),
        "\"lastBadRecord\":\"clients.validation-0@",
        "'document' must be");
    assertThat(finished("kcat", "kcat", "-C", "-e", "-b", broker, "-t", "abacus.rejections"))
        .contains("'document' must be")
        .doesNotContain("no key");
  }

  @Test
  void kcatReadsAvro() throws Exception {
    assumeTrue(
        runs("sh", "-c", "kcat -V | grep -i avro"),
        "skipped: there is no kcat with Avro on this machine");
    installPackages("kafkajs", "kafkajs@2", "@kafkajs/confluent-schema-registry@3");
    assertThat(node("avro.js", block("avro.js"))).contains("result ");

    assertThat(finished("kcat-avro", "sh", "-e", "-c", section("kcat", 1)))
        .contains("\"topic\":", "The parcel has not come.");
  }

  /** A block of shell commands below a heading, for the programs of this test. */
  private static String section(String heading, int number) throws IOException {
    Matcher sections =
        Pattern.compile("(?s)\n## " + heading + "\n(.*?)\n## ").matcher(Files.readString(DOCUMENT));
    assertThat(sections.find()).as("%s in %s", heading, DOCUMENT).isTrue();
    Matcher blocks = Pattern.compile("(?s)```sh\n(.*?)```").matcher(sections.group(1));
    for (int i = 0; i <= number; i++) {
      assertThat(blocks.find()).as("block %d of %s in %s", i, heading, DOCUMENT).isTrue();
    }
    return blocks
        .group(1)
        .replace("broker:9092", broker)
        .replace("http://registry:8081", registry)
        .replace("support.messages", "clients.in")
        .replace("support.triaged", "clients.out")
        .replace("mail.sorted", "clients.avro.out")
        .replace("m1", "k1")
        .replace("deploy/examples/support-triage/validation.jsonl", examples.toString())
        .replace("support-triage", "clients");
  }

  /** Runs a command until its output has these texts. */
  private static void await(Callable<String> command, String... texts) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(RUN_SECONDS);
    String printed = command.call();
    while (System.nanoTime() < deadline && !Stream.of(texts).allMatch(printed::contains)) {
      printed = command.call();
    }
    assertThat(printed).contains(texts);
  }

  /** The block of code whose first line names the file. */
  private static String block(String file) throws IOException {
    Matcher blocks =
        Pattern.compile("(?s)```js\n// " + Pattern.quote(file) + "(.*?)```")
            .matcher(Files.readString(DOCUMENT));
    assertThat(blocks.find()).as("%s in %s", file, DOCUMENT).isTrue();
    return "//" + blocks.group(1);
  }

  private static String node(String file, String code) throws Exception {
    Path script = Files.writeString(PACKAGES.resolve(file), code);
    return finished(file, "node", script.getFileName().toString());
  }

  /** What a command printed that succeeded. */
  private static String finished(String name, String... command) throws Exception {
    Path out = folder.resolve(name + ".out");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().putAll(Map.of("BROKER", broker, "REGISTRY", registry));
    Process process = builder.start();
    boolean ended = process.waitFor(RUN_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    String printed = Files.readString(out);
    assertThat(ended).as(printed).isTrue();
    assertThat(process.exitValue()).as(printed).isZero();
    return printed;
  }

  /** Installs packages of npm, unless the first one is there. Skips the test if it cannot. */
  private static void installPackages(String name, String... packages) throws Exception {
    assumeTrue(runs("node", "--version"), "skipped: there is no Node.js on this machine");
    if (!Files.isDirectory(PACKAGES.resolve("node_modules").resolve(name))) {
      Files.createDirectories(PACKAGES);
      List<String> command =
          new ArrayList<>(
              List.of(
                  "npm",
                  "install",
                  "--no-save",
                  "--no-package-lock",
                  "--no-audit",
                  "--no-fund",
                  "--ignore-scripts"));
      command.addAll(List.of(packages));
      assumeTrue(
          runs(command.toArray(String[]::new)),
          "skipped: npm cannot install %s, for example because there is no registry"
              .formatted(name));
    }
  }

  private static File directory() {
    return (Files.isDirectory(PACKAGES) ? PACKAGES : Path.of(".")).toFile();
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      boolean ended = process.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS);
      process.destroyForcibly();
      return ended && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static Worker worker(SimulatedEndpoint models) throws Exception {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", broker);
    settings.put(WorkerConfig.REGISTRY_URL, registry);
    settings.put(WorkerConfig.STATE_DIR, folder.resolve("state").toString());
    settings.put(WorkerConfig.MODEL_ENDPOINT, models.baseUri().toString());
    return Worker.start(new WorkerConfig(settings));
  }

  private static OptimizerService optimizer() {
    return OptimizerService.start(
        new OptimizerConfig(
            Map.of(
                "bootstrap.servers",
                broker,
                WorkerConfig.REGISTRY_URL,
                registry,
                OptimizerConfig.STREAM_EXAMPLES,
                0)));
  }
}

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  @TempDir private Path folder;

  @BeforeAll
  static void install() throws Exception {
    assumeTrue(runs("node", "--version"), "skipped: there is no Node.js on this machine");
    if (!Files.isDirectory(PACKAGES.resolve("node_modules/kafkajs"))) {
      Files.createDirectories(PACKAGES);
      assumeTrue(
          runs(
              "npm",
              "install",
              "--no-save",
              "--no-package-lock",
              "--no-audit",
              "--no-fund",
              "--ignore-scripts",
              "kafkajs@2",
              "@kafkajs/confluent-schema-registry@3"),
          "skipped: npm cannot install kafkajs, for example because there is no registry");
    }
  }

  @Test
  void theProgramsOfTheDocumentationSendReadAndSteer() throws Exception {
    assumeTrue(LocalRegistry.isInstalled(), "skipped: there is no schema registry in target");
    CompletableFuture<LocalRegistry> starting =
        CompletableFuture.supplyAsync(() -> LocalRegistry.start());
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram _ = RunningProgram.open(kafka, PROGRAM, 1, Map.of());
        RunningProgram _ = RunningProgram.open(kafka, AVRO, 1, Map.of());
        LocalRegistry registry = starting.join();
        Worker _ = worker(kafka, models, registry);
        OptimizerService _ = optimizer(kafka, registry)) {
      Map<String, String> variables =
          Map.of("BROKER", kafka.bootstrapServers(), "REGISTRY", registry.url());
      assertThat(node("json.js", variables))
          .contains("\"text\":\"The parcel has not come.\"", "\"topic\":")
          .contains("epoch 1 tenant blue")
          .containsPattern("refused .*beauty");
      assertThat(node("avro.js", variables))
          .contains("{\"id\":\"m1\",\"text\":\"The parcel has not come.\",\"topic\":\"");
      if (runs("kcat", "-V")) {
        kcatSendsReadsAndSteers(kafka);
      }
    }
  }

  /** After json.js, so that there are results and a rejection. */
  private void kcatSendsReadsAndSteers(LocalKafka kafka) throws Exception {
    String commands =
        section("kcat")
            .replace("broker:9092", kafka.bootstrapServers())
            .replace("support.messages", "clients.in")
            .replace("support.triaged", "clients.out")
            .replace("support-triage", "clients");
    assertThat(finished("kcat", Map.of(), "sh", "-e", "-c", commands))
        .contains("\"topic\":", "abacus-plan-epoch=1", "objective/clients: ", "beauty");
  }

  /** The first block of shell commands behind a heading. */
  private static String section(String heading) throws IOException {
    Matcher blocks =
        Pattern.compile("(?s)\n## " + heading + "\n.*?```sh\n(.*?)```")
            .matcher(Files.readString(DOCUMENT));
    assertThat(blocks.find()).as("%s in %s", heading, DOCUMENT).isTrue();
    return blocks.group(1);
  }

  /** The block of code whose first line names the file. */
  private static String block(String file) throws IOException {
    Matcher blocks =
        Pattern.compile("(?s)```js\n// " + Pattern.quote(file) + "(.*?)```")
            .matcher(Files.readString(DOCUMENT));
    assertThat(blocks.find()).as("%s in %s", file, DOCUMENT).isTrue();
    return "//" + blocks.group(1);
  }

  private String node(String file, Map<String, String> variables) throws Exception {
    Path script = Files.writeString(PACKAGES.resolve(file), block(file));
    return finished(file, variables, "node", script.getFileName().toString());
  }

  /** What a command printed that succeeded. */
  private String finished(String name, Map<String, String> variables, String... command)
      throws Exception {
    Path out = folder.resolve(name + ".out");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(PACKAGES.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().putAll(variables);
    Process process = builder.start();
    boolean ended = process.waitFor(RUN_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    String printed = Files.readString(out);
    assertThat(ended).as(printed).isTrue();
    assertThat(process.exitValue()).as(printed).isZero();
    return printed;
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory((Files.isDirectory(PACKAGES) ? PACKAGES : Path.of(".")).toFile())
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

  private Worker worker(LocalKafka kafka, SimulatedEndpoint models, LocalRegistry registry)
      throws Exception {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put(WorkerConfig.REGISTRY_URL, registry.url());
    settings.put(WorkerConfig.STATE_DIR, folder.resolve("state").toString());
    settings.put(WorkerConfig.MODEL_ENDPOINT, models.baseUri().toString());
    return Worker.start(new WorkerConfig(settings));
  }

  private static OptimizerService optimizer(LocalKafka kafka, LocalRegistry registry) {
    return OptimizerService.start(
        new OptimizerConfig(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                WorkerConfig.REGISTRY_URL,
                registry.url(),
                OptimizerConfig.STREAM_EXAMPLES,
                0)));
  }
}

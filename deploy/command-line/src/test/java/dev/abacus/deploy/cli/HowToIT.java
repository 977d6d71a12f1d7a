package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.local.LocalStack;
import dev.abacus.deploy.local.PlaneSettings;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of docs/how-to that need a broker: those of the blocks marked as {@code runnable},
 * in the order of the pages. A stack with one fast model takes the place of {@code up}.
 */
class HowToIT {

  /** A block of commands, and the output that the page shows below it. */
  private static final Pattern BLOCK =
      Pattern.compile("(?s)```sh runnable\n(.*?)```\n(?:\n```\n(.*?)```)?");

  private static final Pattern FILE = Pattern.compile("\\w+\\.(?:yaml|jsonl)");

  private static final String SERVER = "localhost:29192";

  /** The epoch that the pages name as active. */
  private static final String ACTIVE = "\\b7\\b";

  private static final double SPEED = 500;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(500);

  @TempDir Path folder;

  @Test
  void theCommandsOfBudgetsAndCanaryDoWhatThePagesSay() throws Exception {
    HowToTest.writeFiles(folder);
    Path file = folder.resolve("tickets.yaml");
    Files.writeString(file, Files.readString(file) + "models: [gpt-4o-mini]\n");
    Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(Files.readString(file));
    LocalStack.Settings settings =
        LocalStack.Settings.defaults()
            .withRegistry(false)
            .withSimulator(SimulatorOptions.DEFAULTS.withSpeed(SPEED))
            .withPlanes(new PlaneSettings(Map.of(), Map.of(OptimizerConfig.EMBEDDERS, "")));
    try (LocalStack stack = LocalStack.start(settings, _ -> {})) {
      stack.createTopics(program);
      ControlTopic control = new ControlTopic(stack.connection(), ModelCatalogue.builtIn());
      control.write(new ControlRecord.ProgramSet(program));

      int commands = runPage("budgets.md", stack, control, program);
      assertThat(folder.resolve("results.jsonl")).exists();
      ControlState state = control.read();
      assertThat(state.objective(program)).as("back to the file").isEqualTo(program.objective());
      commands += runPage("canary.md", stack, control, program);

      ControlRecord.Activated active = Objects.requireNonNull(control.read().active("tickets"));
      assertThat(active.share()).isEqualTo(1);
      assertThat(active.epoch()).as("rolled back").isNotEqualTo(1);
      assertThat(commands).isEqualTo(12);
    }
  }

  private int runPage(String name, LocalStack stack, ControlTopic control, Program program)
      throws Exception {
    Matcher blocks = BLOCK.matcher(Files.readString(HowToTest.PAGES.resolve(name)));
    int commands = 0;
    long epoch = 0;
    while (blocks.find()) {
      StringBuilder printed = new StringBuilder();
      for (String line : blocks.group(1).lines().toList()) {
        if (epoch == 0 && !line.contains(" run ")) {
          epoch = settled(stack, control, program);
        }
        Run run = Run.of(words(line, stack, epoch));
        assertThat(run.exit()).as("%s%n%s", line, run.err()).isZero();
        printed.append(run.out());
        commands++;
        if (line.contains(" objective ")) {
          epoch = settled(stack, control, program);
        }
      }
      if (blocks.group(2) != null) {
        assertThat(printed).contains(blocks.group(2).replaceAll(ACTIVE, Long.toString(epoch)));
      }
    }
    return commands;
  }

  private String[] words(String line, LocalStack stack, long epoch) {
    assertThat(line).startsWith("./abacus ");
    return DocumentsTest.words(line.substring("./abacus ".length())).stream()
        .map(word -> word.equals(SERVER) ? stack.connection().bootstrapServers() : word)
        .map(word -> FILE.matcher(word).matches() ? folder.resolve(word).toString() : word)
        .map(word -> word.replaceAll("^" + ACTIVE + "$", Long.toString(epoch)))
        .toArray(String[]::new);
  }

  /** Waits for the plan of the objective in force, at the end of its search; its epoch. */
  private static long settled(LocalStack stack, ControlTopic control, Program program) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      ControlState state = control.read();
      var plan = state.plan(program.name(), null);
      var search = TopicReader.status(stack.connection()).optimizer(program.name());
      if (plan != null
          && plan.objective().equals(state.objective(program))
          && search != null
          && search.path("phase").asText().equals("FINISHED")
          && search.path("objective").asText().equals(plan.objective().toString())) {
        return plan.epoch();
      }
      assertThat(System.nanoTime()).as("%s, %s", plan, search).isLessThan(deadline);
      LockSupport.parkNanos(POLL.toNanos());
    }
  }
}

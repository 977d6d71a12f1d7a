package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.KafkaOptions;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cluster.TopicWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus answers}. */
@Command(
    name = "answers",
    description = "Manage the answer store of the workers.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = AnswersCommand.Clear.class,
    footer = "  abacus answers clear --bootstrap-server localhost:9092")
public final class AnswersCommand {

  /** {@code abacus answers clear}. */
  @Command(
      name = "clear",
      description =
          "Clear the answer store: workers use no answer again that was given before this "
              + "command.",
      footer = "  abacus answers clear --model gpt-4o-mini")
  static final class Clear implements Runnable {

    @Option(
        names = "--model",
        paramLabel = "MODEL",
        description = "Clear the answers of this model only, by its name in the catalogue.")
    private @Nullable String model;

    @Mixin private KafkaOptions kafka = new KafkaOptions();
    @Mixin private Output output = new Output();

    @Override
    public void run() {
      TopicWriter.clearAnswers(kafka.connection(), model);
      String cleared = model == null ? "all models" : model;
      output.data(Map.of("cleared", cleared), "the answers of " + cleared + " are cleared");
    }
  }
}

package dev.abacus.deploy.cli.control;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.ProgramCommand;
import dev.abacus.deploy.cli.report.Table;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.cluster.DeadLetters;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.replay.DeadLetterReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code abacus dlq}. */
@Command(
    name = "dlq",
    description = "List and replay dead letters.",
    subcommands = {DeadLettersCommand.ListLetters.class, DeadLettersCommand.Replay.class},
    synopsisSubcommandLabel = "COMMAND",
    footer = "  abacus dlq list support-triage")
public final class DeadLettersCommand {

  /** {@code abacus dlq list}. */
  @Command(
      name = "list",
      description = "List dead letters with operator and reason.",
      footer = "  abacus dlq list support-triage -o json")
  static final class ListLetters extends ProgramCommand {

    @Override
    protected void run(Program applied, ControlTopic control, ControlState state) {
      List<DeadLetters.Letter> letters = new DeadLetters(program.connection(), applied).list();
      Table table = new Table("key", "operator", "attempts", "at", "replayed", "reason");
      for (DeadLetters.Letter letter : letters) {
        table.row(
            letter.key(),
            letter.operator(),
            letter.attempts(),
            letter.at(),
            letter.replayed() ? "yes" : letter.replayable() ? "no" : "cannot be",
            letter.reason().lines().findFirst().orElse(""));
      }
      output.data(letters, table.isEmpty() ? List.of("no dead letters") : table.lines());
    }
  }

  /** {@code abacus dlq replay}. */
  @Command(
      name = "replay",
      description = {
        "Send dead letters to their topics again.",
        "Without --key, every letter not replayed before, exactly once; with --key, these "
            + "documents, also if replayed before."
      },
      footer = "  abacus dlq replay support-triage --key msg-017")
  static final class Replay extends ProgramCommand {

    @Option(
        names = "--key",
        paramLabel = "KEY",
        description = "Key of a document; may be repeated.")
    private List<String> keys = List.of();

    @Override
    protected void run(Program applied, ControlTopic control, ControlState state) {
      DeadLetters letters = new DeadLetters(program.connection(), applied);
      DeadLetterReplay.Letters replayed =
          keys.isEmpty() ? letters.replay() : letters.replay(Set.copyOf(keys));
      if (!keys.isEmpty() && replayed.equals(new DeadLetterReplay.Letters(0, 0))) {
        throw CommandFailure.failed(
            "no dead letter has the key " + String.join(", ", keys),
            "`abacus dlq list " + applied.name() + "` shows the keys.");
      }
      List<String> lines = new ArrayList<>();
      lines.add(replayed.replayable() + " documents were sent again");
      if (replayed.left() > 0) {
        lines.add(
            replayed.left()
                + " stay: none is one whole record (several, shortened, or deleted before it was read)");
      }
      output.data(
          JsonNodeFactory.instance
              .objectNode()
              .put("program", applied.name())
              .put("replayed", replayed.replayable())
              .put("left", replayed.left()),
          lines);
    }
  }
}

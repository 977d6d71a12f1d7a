package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.AppliedProgram;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.ProgramPurge;
import dev.abacus.deploy.cluster.ProgramReset;
import dev.abacus.schemas.program.Program;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus reset}. */
@Command(
    name = "reset",
    description = {
      "Process documents again, from the beginning of the sources or from a time, with empty "
          + "state: pending documents, windows, limits and receipts are removed; results, dead "
          + "letters and plans stay.",
      "No worker may run the program."
    },
    footer = "  abacus reset program.yaml --to-datetime 2026-11-22T08:00:00Z --dry-run")
public final class ResetCommand implements Runnable {

  @Option(
      names = "--to-datetime",
      paramLabel = "TIME",
      description = "First document by its timestamp, such as 2026-11-22T08:00:00Z (default: all).")
  private @Nullable Instant from;

  @Mixin private Confirmation confirmation = new Confirmation();
  @Mixin private AppliedProgram program = new AppliedProgram();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    var state = program.control().read();
    // A program that was removed is in its file only.
    Program definition = program.definition(state);
    KafkaConnection connection = program.connection();
    Collection<String> others = ProgramPurge.names(state);
    ProgramReset reset = ProgramReset.of(connection, definition, others, from);
    List<String> lines = reset.lines();
    boolean confirmed = confirmation.confirm(output, "reset", definition.name(), lines);
    if (confirmed) {
      reset.apply(connection, definition, others);
      output.data(
          Map.of("reset", definition.name(), "changes", lines), definition.name() + " is reset");
    }
  }
}

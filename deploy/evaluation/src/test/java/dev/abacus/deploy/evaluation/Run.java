package dev.abacus.deploy.evaluation;

import dev.abacus.deploy.cli.Abacus;
import dev.abacus.deploy.cli.option.OptionValues;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** What a command line printed, and how it ended. */
public record Run(int exit, String out, String err) {

  /** Runs a command. */
  public static Run of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit = Abacus.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Run(exit, out.toString(), err.toString());
  }

  /** The lines of the errors and notes. */
  public List<String> errorLines() {
    return err.lines().toList();
  }

  /** A command with its options, which does not run yet. */
  public static <T> T command(T command, String... options) {
    CommandLine line = new CommandLine(command);
    OptionValues.register(line);
    line.parseArgs(options);
    return command;
  }
}

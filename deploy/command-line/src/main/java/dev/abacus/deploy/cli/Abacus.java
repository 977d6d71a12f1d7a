package dev.abacus.deploy.cli;

import dev.abacus.deploy.cli.option.RedactedOutput;
import dev.abacus.deploy.cli.run.MissingSimulatorCommand;
import dev.abacus.deploy.cli.run.SimulatorCommand;
import dev.abacus.deploy.cli.run.Termination;
import dev.abacus.deploy.local.LocalPart;
import java.io.PrintWriter;
import java.util.ServiceLoader;
import picocli.CommandLine;

/** The main class of {@code abacus}. */
public final class Abacus {

  private Abacus() {}

  public static void main(String[] arguments) {
    if (LogSettings.isServer(arguments)) {
      Termination.endStartOnSignal();
    }
    RedactedOutput.install();
    LogSettings.configure(arguments);
    CommandLine commandLine = commandLine();
    int exit = commandLine.execute(arguments);
    commandLine.getOut().flush();
    commandLine.getErr().flush();
    System.exit(exit);
  }

  /** Creates the command line with all commands, including those of {@link CommandExtension}s. */
  public static CommandLine commandLine() {
    FailureReporter failures = new FailureReporter();
    CommandLine commandLine = new CommandLine(new RootCommand());
    commandLine.addSubcommand(
        LocalPart.isInstalled() ? new SimulatorCommand() : new MissingSimulatorCommand());
    ServiceLoader.load(CommandExtension.class)
        .forEach(extension -> commandLine.addSubcommand(extension.command()));
    return commandLine
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setAbbreviatedOptionsAllowed(false)
        // `experiment --policy paper` names a policy, although a subcommand has that name too.
        .setAllowSubcommandsAsOptionParameters(true)
        .setUsageHelpAutoWidth(true)
        .setExecutionExceptionHandler(failures)
        .setParameterExceptionHandler(failures);
  }

  /**
   * Runs a command line like the main method, but prints to these writers and does not end the JVM.
   */
  public static int run(PrintWriter out, PrintWriter err, String... arguments) {
    return commandLine().setOut(out).setErr(err).execute(arguments);
  }
}

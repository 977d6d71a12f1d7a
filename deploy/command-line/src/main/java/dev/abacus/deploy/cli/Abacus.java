package dev.abacus.deploy.cli;

import dev.abacus.deploy.cli.option.OptionValues;
import dev.abacus.deploy.cli.option.RedactedOutput;
import dev.abacus.deploy.cli.run.MissingSimulatorCommand;
import dev.abacus.deploy.cli.run.SimulatorCommand;
import dev.abacus.deploy.cli.run.Termination;
import dev.abacus.deploy.local.LocalPart;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The main class of {@code abacus}. */
public final class Abacus {

  /** Columns of help texts if the terminal does not tell its own. */
  private static final int HELP_WIDTH = 110;

  /** The JDK's property for the number of platform threads that run virtual threads. */
  private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

  private static final int CARRIERS_PER_PROCESSOR = 4;

  private Abacus() {}

  public static void main(String[] arguments) {
    // Numbers in output, keys and addresses have the same digits everywhere.
    Locale.setDefault(Locale.ROOT);
    LogSettings log = LogSettings.of(arguments);
    if (log.isServer()) {
      useManyCarriers();
      Termination.endStartOnSignal();
    }
    RedactedOutput.install();
    log.configure();
    CommandLine commandLine = commandLine();
    int exit = commandLine.execute(arguments);
    commandLine.getOut().flush();
    commandLine.getErr().flush();
    String missing = RedactedOutput.missingLines();
    if (exit == 0 && missing != null && !log.isServer()) {
      System.err.printf(
          "error: standard output was not written: %s%nThe command did its work. Send its output elsewhere.%n",
          missing);
      exit = 1;
    }
    System.exit(exit);
  }

  /**
   * Model calls and their receipts run on virtual threads. With one carrier for each processor, the
   * JDK's default, they get a small share of the processors while dozens of stream threads start.
   */
  private static void useManyCarriers() {
    if (System.getProperty(CARRIERS) == null) {
      int carriers = CARRIERS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
      System.setProperty(CARRIERS, String.valueOf(carriers));
    }
  }

  /** Creates the command line with all commands, including those of {@link CommandExtension}s. */
  public static CommandLine commandLine() {
    FailureReporter failures = new FailureReporter();
    CommandLine commandLine = new CommandLine(new RootCommand());
    commandLine.addSubcommand(
        LocalPart.isInstalled() ? new SimulatorCommand() : new MissingSimulatorCommand());
    ServiceLoader.load(CommandExtension.class).forEach(commandLine::addSubcommand);
    wholeExamples(commandLine);
    OptionValues.register(commandLine);
    return commandLine
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setAbbreviatedOptionsAllowed(false)
        // `experiment --policy paper` names a policy, although a subcommand has that name too.
        .setAllowSubcommandsAsOptionParameters(true)
        .setUsageHelpWidth(HELP_WIDTH)
        .setUsageHelpAutoWidth(true)
        .setExecutionExceptionHandler(failures)
        .setParameterExceptionHandler(failures);
  }

  /** Prints examples without line breaks, so that they can be copied from any terminal. */
  private static void wholeExamples(CommandLine command) {
    command
        .getHelpSectionMap()
        .put(
            UsageMessageSpec.SECTION_KEY_FOOTER,
            help ->
                Arrays.stream(help.commandSpec().usageMessage().footer())
                    .map(line -> line.replace("%n", System.lineSeparator()).replace("\\\\", "\\"))
                    .collect(
                        Collectors.joining(System.lineSeparator(), "", System.lineSeparator())));
    command.getSubcommands().values().forEach(Abacus::wholeExamples);
  }

  /**
   * Runs a command line like the main method, but prints to these writers and does not end the JVM.
   */
  public static int run(PrintWriter out, PrintWriter err, String... arguments) {
    return commandLine().setOut(out).setErr(err).execute(arguments);
  }
}

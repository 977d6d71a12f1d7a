package dev.abacus.deploy.cli;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.KafkaOptions;
import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.deploy.local.LocalServiceException;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.access.RoleAccess;
import dev.abacus.schemas.program.io.NameSuggestions;
import java.io.PrintWriter;
import java.net.BindException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Prints a failure to standard error: one line with the reason, one with the remedy. Prints the
 * stack trace only with {@code --verbose}.
 */
final class FailureReporter implements IExecutionExceptionHandler, IParameterExceptionHandler {

  private record Report(String what, String remedy, int exitCode) {}

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    print(
        command.getErr(),
        new Report(
            message(e),
            nearest(e) + "`%s --help` shows what there is, with an example.".formatted(name),
            ExitCode.USAGE));
    return ExitCode.USAGE;
  }

  /** Of words that nobody expects, the first is wrong, and the others follow from it. */
  private static String message(ParameterException e) {
    return e instanceof UnmatchedArgumentException other
        ? "unknown %s '%s'"
            .formatted(
                other.getUnmatched().getFirst().startsWith("-") ? "option" : "word",
                other.getUnmatched().getFirst())
        : String.valueOf(e.getMessage());
  }

  /** A question about the name that a misspelt command or option resembles; may be empty. */
  private static String nearest(ParameterException e) {
    // A misspelt option may be why a required one is missing.
    List<String> unmatched =
        e instanceof UnmatchedArgumentException other
            ? other.getUnmatched()
            : e.getCommandLine().getUnmatchedArguments();
    if (unmatched.isEmpty()) {
      return "";
    }
    String written = unmatched.getFirst().replaceFirst("=.*", "");
    CommandSpec spec = e.getCommandLine().getCommandSpec();
    Collection<String> names =
        written.startsWith("-") ? spec.optionsMap().keySet() : spec.subcommands().keySet();
    String closest = NameSuggestions.closest(written, names);
    return closest == null ? "" : "Did you mean `%s`? ".formatted(closest);
  }

  @Override
  public int handleExecutionException(
      Exception e, CommandLine command, @Nullable ParseResult result) {
    if (e instanceof ParameterException parameter) {
      return handleParseException(parameter, new String[0]);
    }
    AuthorizationException denied = RoleAccess.authorization(e);
    Report report = denied == null ? report(e) : denied(denied, command);
    print(command.getErr(), report);
    if (verbose(command)) {
      e.printStackTrace(command.getErr());
      command.getErr().flush();
    }
    return report.exitCode();
  }

  /** Names the missing ACLs of the command. */
  private static Report denied(AuthorizationException denied, CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    String name = spec.qualifiedName().substring(spec.root().name().length()).strip();
    KafkaOptions options = options(spec);
    Map<String, String> settings = options == null ? Map.of() : options.settings();
    return new Report(
        RoleAccess.of(Role.of(name), settings).describe(denied),
        "docs/security.md lists the least set of ACLs of each role.",
        ExitCode.USAGE);
  }

  /** The connection options of a command, which may be part of other options. */
  private static @Nullable KafkaOptions options(CommandSpec spec) {
    if (spec.userObject() instanceof KafkaOptions options) {
      return options;
    }
    return spec.mixins().values().stream()
        .map(FailureReporter::options)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static Report report(Exception e) {
    return switch (e) {
      case CommandFailure failure ->
          new Report(message(failure), failure.remedy(), failure.exitCode());
      case InvalidFileException invalid ->
          new Report(message(invalid), "Correct the file, or name another.", ExitCode.USAGE);
      case OperationFailedException failed ->
          new Report(message(failed), failed.remedy(), ExitCode.SOFTWARE);
      case LocalServiceException failed -> local(failed);
      case ConfigException invalid ->
          new Report(
              message(invalid),
              "Correct the setting; it comes from an option, -X, --command-config or an ABACUS_… variable.",
              ExitCode.USAGE);
      case TimeoutException timeout ->
          new Report(
              "Kafka did not answer in time: " + timeout.getMessage(),
              "Check that it runs and that --bootstrap-server, --command-config and -X fit it.",
              ExitCode.SOFTWARE);
      default -> unexpected(e);
    };
  }

  private static Report local(LocalServiceException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return new Report(
            firstLine(e),
            "Stop what listens there, or choose other ports with --port-base.",
            ExitCode.SOFTWARE);
      }
    }
    return unexpected(e);
  }

  private static Report unexpected(Exception e) {
    return new Report(
        firstLine(e), "Run it again with --verbose for the stack trace.", ExitCode.SOFTWARE);
  }

  private static String message(Exception e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static String firstLine(Exception e) {
    return e.getMessage() == null
        ? e.getClass().getSimpleName()
        : e.getMessage().lines().findFirst().orElse("");
  }

  private static boolean verbose(CommandLine command) {
    Object root = command.getCommandSpec().root().userObject();
    return root instanceof RootCommand abacus && abacus.log.isVerbose();
  }

  private static void print(PrintWriter err, Report report) {
    err.println("error: " + report.what());
    err.println(report.remedy());
    err.flush();
  }
}

package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.AppliedProgram;
import dev.abacus.deploy.cli.report.CostReport;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.control.BillRecord;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code abacus cost}. */
@Command(
    name = "cost",
    description =
        "Show what a program spent by operator, model, tier and purpose, what each lever "
            + "saved, the cost of a result, and a forecast for the month.",
    footer = "  abacus cost support-triage --since 7d -o csv")
public final class CostCommand implements Runnable {

  /** Format of the report. */
  enum Format {
    TEXT,
    JSON,
    CSV
  }

  private static final Duration LONGEST_MONTH = Duration.ofDays(31);

  @Spec private @Nullable CommandSpec command;

  @Mixin private AppliedProgram program = new AppliedProgram();

  @Option(
      names = "--since",
      paramLabel = "DURATION",
      defaultValue = "30d",
      description =
          "Time up to now, such as 12h or 7d; the first hour is a whole one (default: ${DEFAULT-VALUE}).")
  private Duration since = Duration.ZERO;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, json (one line) or csv.")
  private Format format = Format.TEXT;

  @Override
  public void run() {
    KafkaConnection connection = program.connection();
    Instant now = Instant.now();
    Instant from = now.minus(since).truncatedTo(ChronoUnit.HOURS);
    connection.check();
    connection.requireAccess(Role.COST, List.of());
    Instant month = now.minus(LONGEST_MONTH);
    List<BillRecord> bills =
        TopicReader.bills(connection, program.name(), month.isBefore(from) ? month : from);
    CostReport report = new CostReport(program.name(), bills, from, now);
    PrintWriter out = Objects.requireNonNull(command).commandLine().getOut();
    switch (format) {
      case TEXT -> report.lines().forEach(out::println);
      case JSON -> out.println(report.json());
      case CSV -> report.csv().forEach(out::println);
    }
    out.flush();
  }
}

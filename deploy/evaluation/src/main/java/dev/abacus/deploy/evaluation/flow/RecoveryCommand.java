package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.evaluation.flow.RecoveryOptions.Takeover;
import dev.abacus.deploy.evaluation.flow.RecoveryReport.LeaderRun;
import dev.abacus.deploy.evaluation.flow.RecoveryReport.WorkerRun;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus bench recovery}. */
@Command(
    name = "recovery",
    description = {
      "Measure recovery after kill -9 of a worker under steady load, or of the leading optimizer: the time to",
      "the next result, the time to catch up, repeated model calls, and lost or duplicate documents.",
      "Processes run in separate JVMs; models are simulated."
    },
    footer = {
      "%nExample:",
      "  abacus bench recovery --takeover restart,optimizer -X session.timeout.ms=10000 -o json"
    })
public final class RecoveryCommand implements Runnable {

  @Option(
      names = "--takeover",
      split = ",",
      paramLabel = "WHO",
      description = {
        "restart (restarts the same worker), replacement (starts a worker without state), survivor (a second",
        "worker already runs), optimizer (a standby optimizer takes over); default: all."
      })
  private List<Takeover> takeovers = List.of();

  @Option(
      names = "--repetitions",
      defaultValue = "1",
      paramLabel = "N",
      description = "Kills per takeover (default: ${DEFAULT-VALUE}).")
  private int repetitions = 1;

  @Option(
      names = "--in-flight",
      defaultValue = "200",
      description = "Documents in flight per worker (default: ${DEFAULT-VALUE}).")
  private int inFlight = 200;

  @Option(
      names = "--rate",
      defaultValue = "100",
      paramLabel = "N",
      description = "Documents per second (default: ${DEFAULT-VALUE}).")
  private double rate = 100;

  @Option(
      names = "--before",
      defaultValue = "10s",
      converter = DurationConverter.class,
      description = "Time with documents before the kill (default: ${DEFAULT-VALUE}).")
  private Duration before = Duration.ZERO;

  @Option(
      names = "-X",
      paramLabel = "KEY=VALUE",
      description = "Property of the worker and optimizer processes, such as session.timeout.ms.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Mixin private SimulatedCalls calls = new SimulatedCalls();
  @Mixin private Output output = new Output();

  /** Used by picocli. */
  public RecoveryCommand() {}

  @Override
  public void run() {
    RecoveryOptions options = options();
    output.note("Models are simulated.");
    RecoveryReport report = measure(options);
    if (output.json()) {
      output.value(report);
    } else {
      report.workers().forEach(this::print);
      report.leaders().forEach(this::print);
    }
    if (!report.exact()) {
      throw CommandFailure.failed(
          "some documents were not processed exactly once",
          "This is a bug; please report it with these results.");
    }
  }

  private RecoveryOptions options() {
    EnumSet<Takeover> wanted = EnumSet.noneOf(Takeover.class);
    wanted.addAll(takeovers);
    return calls.check(() ->
        new RecoveryOptions(
            wanted,
            repetitions,
            calls.latency(),
            inFlight,
            rate,
            calls.partitions(),
            before,
            properties));
  }

  private RecoveryReport measure(RecoveryOptions options) {
    try {
      return new RecoveryBenchmark(options, what -> output.note("  " + what)).run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (IOException e) {
      throw new IllegalStateException("the simulated models failed: " + e.getMessage(), e);
    }
  }

  private void print(WorkerRun run) {
    output.line(
        String.format(
            Locale.ROOT,
            "%-12s first result after %.1f s, all partitions after %.1f s, caught up after %.1f s; %d of %d calls repeated",
            run.takeover(),
            run.secondsToFirstResult(),
            run.secondsToAllPartitions(),
            run.secondsToCaughtUp(),
            run.callsRepeated(),
            run.calls()));
    output.line(
        String.format(
            Locale.ROOT,
            "%-12s %d documents, %d waiting at the kill: %d lost, %d duplicates, %d dead letters",
            "",
            run.documents(),
            run.waitingAtKill(),
            run.lost(),
            run.duplicates(),
            run.deadLetters()));
  }

  private void print(LeaderRun run) {
    output.line(
        String.format(
            Locale.ROOT,
            "%-12s the standby leads after %.1f s; session timeout %.1f s",
            Takeover.OPTIMIZER,
            run.secondsToLead(),
            run.sessionTimeoutSeconds()));
  }
}

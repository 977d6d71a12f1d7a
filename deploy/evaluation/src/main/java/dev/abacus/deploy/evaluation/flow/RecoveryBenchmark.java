package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.flow.RecoveryOptions.Takeover;
import dev.abacus.deploy.evaluation.flow.RecoveryReport.LeaderRun;
import dev.abacus.deploy.evaluation.flow.RecoveryReport.WorkerRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Kills workers and optimizers, and measures recovery time and repeated work. */
public final class RecoveryBenchmark {

  private final RecoveryOptions options;
  private final Consumer<String> progress;

  /**
   * Creates a benchmark.
   *
   * @param progress receives a description of each measurement
   */
  public RecoveryBenchmark(RecoveryOptions options, Consumer<String> progress) {
    this.options = options;
    this.progress = progress;
  }

  /**
   * Runs the benchmark.
   *
   * @throws IOException if the simulated models cannot start
   * @throws IllegalStateException if recovery takes too long
   */
  public RecoveryReport run() throws IOException, InterruptedException {
    List<WorkerRun> workers = new ArrayList<>();
    List<LeaderRun> leaders = new ArrayList<>();
    for (Takeover takeover : options.takeovers()) {
      if (takeover == Takeover.OPTIMIZER) {
        leaders.addAll(
            new LeaderRecovery(options).run(i -> tell("killing the leading optimizer", i)));
      } else {
        for (int i = 1; i <= options.repetitions(); i++) {
          tell("killing a worker, takeover by " + takeover, i);
          workers.add(new WorkerRecovery(options).run(takeover));
        }
      }
    }
    return new RecoveryReport(options.properties(), workers, leaders, true);
  }

  private void tell(String what, int repetition) {
    progress.accept("%s (%d of %d)".formatted(what, repetition, options.repetitions()));
  }
}

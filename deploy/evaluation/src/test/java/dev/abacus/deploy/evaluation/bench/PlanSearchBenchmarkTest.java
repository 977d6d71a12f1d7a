package dev.abacus.deploy.evaluation.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

class PlanSearchBenchmarkTest {

  @Test
  void jmhTimesEveryFamilyOfTheSmallSearch() throws RunnerException {
    Options once =
        new OptionsBuilder()
            .include(PlanSearchBenchmark.class.getName())
            .param("workload", SearchWorkload.FIVE_MAPS.name())
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(1))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();

    Collection<RunResult> results = new Runner(once).run();

    assertThat(results)
        .hasSize(SearchEstimates.values().length)
        .allSatisfy(result -> assertThat(result.getPrimaryResult().getScore()).isPositive());
  }
}

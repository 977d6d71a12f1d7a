package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.bench.SearchWorkload.SearchCase;
import dev.abacus.optimizer.search.cascades.NamedSearchResult;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * JMH version of the searches that {@code abacus bench search} times: mean search time in a warm
 * JVM, with the heap and collector of the launcher. With {@code -bm ss -wi 0 -i 1 -f 10} it
 * measures the first search of ten new JVMs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 2,
    jvmArgs = {"-XX:+UseSerialGC", "-Xms256m", "-Xmn160m", "-Xmx768m"})
public class PlanSearchBenchmark {

  /** The workload. JMH requires public members. */
  @Param public SearchWorkload workload = SearchWorkload.FIVE_MAPS;

  /** The family of estimates. */
  @Param public SearchEstimates estimates = SearchEstimates.RANDOM;

  private SearchCase drawn = workload.draw(estimates, 1);

  /** Draws the estimates. */
  @Setup
  public void draw() {
    drawn = workload.draw(estimates, 1);
  }

  /** Runs one search. */
  @Benchmark
  public NamedSearchResult search() {
    return drawn.search();
  }
}

package dev.abacus.deploy.evaluation.sembench;

import dev.abacus.deploy.cli.report.Table;
import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code abacus bench sembench}. */
@Command(
    name = "sembench",
    description = {
      "Run the queries of SemBench's scenario Movie (docs/sembench.md) over invented reviews whose truth is",
      "known, through Kafka, a worker and an optimizer, and score the answers as SemBench does. Models are",
      "simulated: the scores show what becomes of simulated errors, not how good a model is."
    },
    footer = "  abacus bench sembench --only Q3,Q7")
public final class SemBenchCommand extends BenchmarkCommand<List<SemBenchBenchmark.Row>> {

  private static final int FEWEST = 300;

  @Option(
      names = "--only",
      paramLabel = "QUERY",
      split = ",",
      description = "${COMPLETION-CANDIDATES} (default: all).")
  private Set<MovieQuery> queries = EnumSet.allOf(MovieQuery.class);

  @Option(
      names = "--reviews",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Number of reviews, at least " + FEWEST + " (default: ${DEFAULT-VALUE}).")
  private int reviews;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "40",
      description = "Budget of each search (default: ${DEFAULT-VALUE}).")
  private int samples;

  @Option(
      names = "--models",
      paramLabel = "NAMES",
      defaultValue = "gpt-4o-mini,gpt-4.1-mini,gpt-4.1-nano",
      description = "Models of the programs (default: ${DEFAULT-VALUE}).")
  private String models = "";

  @Option(
      names = "--speed",
      paramLabel = "X",
      defaultValue = "20",
      description = "Speed factor of simulated models (default: ${DEFAULT-VALUE}).")
  private double speed;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the reviews (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  protected Benchmark<List<SemBenchBenchmark.Row>> benchmark() {
    if (reviews < FEWEST || samples < 1 || !(speed > 0)) {
      throw new IllegalArgumentException(
          "--reviews must be at least %d, --samples and --speed above 0".formatted(FEWEST));
    }
    return new SemBenchBenchmark(queries, reviews, samples, models, speed, seed, this::step)::run;
  }

  @Override
  protected void print(List<SemBenchBenchmark.Row> rows) {
    line(
        "SIMULATED models over invented reviews: nothing was spent, and quality is not that of real ones.");
    line(
        "The scores of other systems are those that SemBench publishes, over its own reviews with Gemini 2.5 Flash.");
    Table table =
        new Table(
            "query",
            "SIMULATED",
            "USD",
            "results",
            "dead letters",
            "LOTUS",
            "Palimpzest",
            "ThalamusDB",
            "BigQuery");
    for (SemBenchBenchmark.Row row : rows) {
      table.row(
          Stream.concat(
                  Stream.of(
                      row.query(),
                      figure(row.score(), 2),
                      figure(row.usd(), 4),
                      String.valueOf(row.results()),
                      String.valueOf(row.deadLetters())),
                  row.published().stream().map(score -> figure(score, 2)))
              .toArray(Object[]::new));
    }
    table.lines().forEach(text -> line("%s", text));
  }

  private static String figure(double value, int digits) {
    return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}

package dev.abacus.deploy.evaluation.price;

import dev.abacus.deploy.cli.report.Table;
import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code abacus bench price}. */
@Command(
    name = "price",
    description = {
      "Measure what each lever saves of the price of a document: a program without and with the lever, with",
      "equal documents, examples, budgets and seeds, through Kafka, a worker and an optimizer. Documents and",
      "labels are real, models are simulated; prices are those of the catalogue."
    },
    footer = "  abacus bench price --only handbook --documents 100")
public final class PriceCommand extends BenchmarkCommand<List<PriceRow>> {

  private static final Path USUAL_DATA = Path.of("../shared/data");

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Folder with one subfolder per data set; programs whose data set is missing are left out (default: ../shared/data).")
  private @Nullable Path data;

  @Option(
      names = "--lever",
      paramLabel = "LEVER",
      split = ",",
      description = "${COMPLETION-CANDIDATES} (default: all).")
  private Set<Lever> levers = EnumSet.allOf(Lever.class);

  @Option(
      names = "--only",
      paramLabel = "PROGRAM",
      split = ",",
      description = "${COMPLETION-CANDIDATES} (default: all).")
  private Set<PricedProgram> programs = EnumSet.allOf(PricedProgram.class);

  @Option(
      names = "--documents",
      paramLabel = "N",
      defaultValue = "100",
      description = "Most documents of a run (default: ${DEFAULT-VALUE}); of CITY always 8,000.")
  private int documents;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "60",
      description = "Budget of each search (default: ${DEFAULT-VALUE}).")
  private int samples;

  @Option(
      names = "--speed",
      paramLabel = "X",
      defaultValue = "10",
      description = "Speed factor of simulated models (default: ${DEFAULT-VALUE}).")
  private double speed;

  @Override
  protected Benchmark<List<PriceRow>> benchmark() {
    if (documents < 1 || samples < 1 || !(speed > 0)) {
      throw new IllegalArgumentException("--documents, --samples and --speed must be above 0");
    }
    if (data != null && !Files.isDirectory(data)) {
      throw new IllegalArgumentException("--data " + data + " is no folder");
    }
    return new PriceBenchmark(
            data == null ? USUAL_DATA : data,
            levers,
            programs,
            documents,
            samples,
            speed,
            this::step)
        ::run;
  }

  @Override
  protected void print(List<PriceRow> rows) {
    Table table =
        new Table(
            "program",
            "lever",
            "cost ÷ without",
            "USD promised",
            "measured",
            "quality promised",
            "measured",
            "latency ÷ without");
    for (PriceRow row : rows) {
      table.row(
          row.program(),
          row.lever(),
          figure(row.costRatio(), 3),
          figure(row.with().costPromised(), 6),
          figure(row.with().cost(), 6),
          figure(row.with().qualityPromised(), 3),
          figure(row.with().quality(), 3),
          figure(row.latencyRatio(), 2));
    }
    line("SIMULATED models: nothing was spent, and quality is not that of real ones");
    table.lines().forEach(text -> line("%s", text));
    for (PriceRow row : rows) {
      line("%s, %s", row.program(), row.lever());
      line("  without: %s", row.without().plan());
      line("  with:    %s", row.with().plan());
    }
  }

  private static String figure(@Nullable Double value, int digits) {
    return value == null || value.isNaN()
        ? ""
        : String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}

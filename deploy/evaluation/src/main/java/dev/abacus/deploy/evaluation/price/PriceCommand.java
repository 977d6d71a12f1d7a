package dev.abacus.deploy.evaluation.price;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.abacus.deploy.cli.report.Table;
import dev.abacus.deploy.evaluation.dataset.Dataset;
import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.LocalRun;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.deploy.local.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code abacus bench price}: runs each program without and with each lever, as {@code abacus run
 * --local} does: a broker, a worker, an optimizer and simulated models. Both runs search with equal
 * budgets and seeds, and process equal documents.
 */
@Command(
    name = "price",
    description = {
      "Measure what each lever saves of the price of a document: a program without and with "
          + "the lever, with equal documents, examples, budgets and seeds, through Kafka, a worker "
          + "and an optimizer.",
      "Documents and labels are real, models are simulated; prices are those of the " + "catalogue."
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
  protected void check() {
    if (documents < 1 || samples < 1 || !(speed > 0)) {
      throw new IllegalArgumentException("--documents, --samples and --speed must be above 0");
    }
    if (data != null && !Files.isDirectory(data)) {
      throw new IllegalArgumentException("--data " + data + " is no folder");
    }
  }

  @Override
  protected List<PriceRow> measure() throws IOException, InterruptedException {
    Path folder = data == null ? USUAL_DATA : data;
    List<PriceRow> rows = new ArrayList<>();
    for (Lever lever : levers) {
      for (PricedProgram program : lever.programs()) {
        List<Path> missing = program.missing(folder);
        if (!programs.contains(program)) {
          continue;
        }
        if (missing.isEmpty()) {
          rows.add(
              lever == Lever.FILTER_ORDER
                  ? FilterOrderRun.row(program, program.read(folder), this::step)
                  : row(program, lever, folder));
        } else {
          step(
              "%s with %s is left out: %s is missing; name a folder with --data"
                  .formatted(program.title(), lever.label(), missing.getFirst()));
        }
      }
    }
    return rows;
  }

  private PriceRow row(PricedProgram program, Lever lever, Path data) throws IOException {
    try (DataFolder folder = DataFolder.of(null, "price")) {
      Dataset.Written written = program.read(data).writeTo(folder.path());
      keepFirst(folder.path().resolve("documents.jsonl"));
      keepFirst(folder.path().resolve("labels.jsonl"));
      PricedRun run =
          new PricedRun(Files.readString(folder.path().resolve("program.yaml")), null)
              .with("budget", "{ samples: %d }".formatted(samples));
      step("%s without %s".formatted(program.title(), lever.label()));
      PriceRow.Measured without = measured(lever.without(run), folder.path(), written);
      step("%s with %s".formatted(program.title(), lever.label()));
      return PriceRow.of(
          program, lever, without, measured(lever.with(run), folder.path(), written));
    }
  }

  private void keepFirst(Path file) {
    List<JsonLines.Line> lines = JsonLines.read(file);
    JsonLines.write(file, lines.stream().limit(documents).map(line -> line.object().toJson()));
  }

  private PriceRow.Measured measured(PricedRun run, Path folder, Dataset.Written written)
      throws IOException {
    Files.writeString(folder.resolve("program.yaml"), run.program());
    List<String> more =
        new ArrayList<>(
            List.of("--with-headers", "--labels", folder.resolve("labels.jsonl").toString()));
    ArrayNode cards = run.cards();
    if (cards != null) {
      Path file = folder.resolve("models.json");
      Files.writeString(file, cards.toString());
      more.addAll(List.of("--models", file.toString()));
    }
    LocalRun outcome = LocalRun.of(folder, written.references().keySet(), speed, more);
    return PriceRow.Measured.of(outcome.summary(), outcome.results());
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
}

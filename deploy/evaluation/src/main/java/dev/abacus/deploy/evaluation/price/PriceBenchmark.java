package dev.abacus.deploy.evaluation.price;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.abacus.deploy.evaluation.dataset.Dataset;
import dev.abacus.deploy.evaluation.load.LocalRun;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.deploy.local.DataFolder;
import dev.abacus.schemas.program.io.InvalidTextException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs each program without and with each lever, as {@code abacus run --local} does: a broker, a
 * worker, an optimizer and simulated models. Both runs search with equal budgets and seeds, and
 * process equal documents.
 *
 * @param data folder with one subfolder per data set
 * @param programs the programs to run, as far as a lever has them
 * @param documents most documents of a run
 * @param samples budget of each search
 * @param speed of the simulated models; 1 is real time
 */
record PriceBenchmark(
    Path data,
    Set<Lever> levers,
    Set<PricedProgram> programs,
    int documents,
    int samples,
    double speed,
    Consumer<String> progress) {

  List<PriceRow> run() throws IOException, InterruptedException {
    List<PriceRow> rows = new ArrayList<>();
    for (Lever lever : levers) {
      for (PricedProgram program : lever.programs()) {
        List<Path> missing = program.missing(data);
        if (!programs.contains(program)) {
          continue;
        }
        if (missing.isEmpty()) {
          rows.add(lever == Lever.FILTER_ORDER ? ordered(program) : row(program, lever));
        } else {
          progress.accept(
              "%s with %s is left out: %s is missing; name a folder with --data"
                  .formatted(program.title(), lever.label(), missing.getFirst()));
        }
      }
    }
    return rows;
  }

  private PriceRow ordered(PricedProgram program) throws IOException, InterruptedException {
    try {
      return FilterOrderRun.row(program, program.read(data), progress);
    } catch (InvalidTextException e) {
      throw new IllegalStateException(program.title(), e);
    }
  }

  private PriceRow row(PricedProgram program, Lever lever) throws IOException {
    try (DataFolder folder = DataFolder.of(null, "price")) {
      Dataset.Written written = program.read(data).writeTo(folder.path());
      keepFirst(folder.path().resolve("documents.jsonl"));
      keepFirst(folder.path().resolve("labels.jsonl"));
      PricedRun run =
          new PricedRun(Files.readString(folder.path().resolve("program.yaml")), null)
              .with("budget", "{ samples: %d }".formatted(samples));
      progress.accept("%s without %s".formatted(program.title(), lever.label()));
      PriceRow.Measured without = measured(lever.without(run), folder.path(), written);
      progress.accept("%s with %s".formatted(program.title(), lever.label()));
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
    JsonNode summary = LocalRun.of(folder, written.references().keySet(), speed, more);
    return PriceRow.Measured.of(
        summary,
        JsonLines.read(folder.resolve("results.jsonl")).stream()
            .map(line -> line.object().toJson())
            .toList());
  }
}

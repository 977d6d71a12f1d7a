package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.optimizer.api.PolicyName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus experiment paper}. */
@Command(
    name = "paper",
    description = {
      "Reproduce the tables of the paper's evaluation with real documents and simulated "
          + "models, as Markdown.",
      "The product does not include the documents; --data names a folder with your copies in "
          + "the subfolders biodex, cuad and mmqa. --table, --data-set and --seeds shorten a run."
    },
    footer = "  abacus experiment paper --data ~/data --table quality --data-set cuad --seeds 3")
public final class PaperCommand implements Runnable {

  @Option(
      names = "--table",
      split = ",",
      paramLabel = "NAME",
      description = "${COMPLETION-CANDIDATES} (default: all).")
  private List<PaperTable> tables = List.of(PaperTable.values());

  @Option(
      names = "--data-set",
      split = ",",
      paramLabel = "NAME",
      description = "${COMPLETION-CANDIDATES} (default: all).")
  private List<PaperDataset> dataSets = List.of(PaperDataset.values());

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "NAME",
      description = "Sampling policies: ${COMPLETION-CANDIDATES} (default: paper,surrogate).")
  private List<PolicyName> policies = List.of(PolicyName.PAPER, PolicyName.SURROGATE);

  @Option(
      names = "--budget",
      paramLabel = "N",
      description = "Samples per semantic operator (default: ${DEFAULT-VALUE}, as in the paper).")
  private int samples = 50;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Searches per configuration (default: ${DEFAULT-VALUE}, as in the paper).")
  private int seeds = 10;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DIR",
      description = "Folder with your copy of the data.")
  private Path data = Path.of("");

  @Mixin private Output output = new Output();

  @Override
  public void run() {
    requirePositive("--seeds", seeds);
    requirePositive("--budget", samples);
    for (PaperDataset set : dataSets) {
      Path folder = data.resolve(set.folder());
      if (!Files.isDirectory(folder)) {
        throw CommandFailure.invalid(
            "no such folder: " + folder, "Pass the folder of the data with --data.");
      }
    }
    Map<PaperTable, List<SearchResult>> findings = new EnumMap<>(PaperTable.class);
    for (PaperDataset set : dataSets) {
      try {
        SearchTrials trials =
            SearchTrials.of(set, data, seeds, progress -> output.note("  " + progress));
        for (PaperTable table : tables) {
          findings
              .computeIfAbsent(table, _ -> new ArrayList<>())
              .addAll(table.run(trials, policies, samples));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw CommandFailure.failed("interrupted", "Run it again.", e);
      }
    }
    output.data(
        findings,
        new PaperReport(findings, seeds, dataSets.stream().map(PaperDataset::title).toList())
            .markdown());
  }

  private static void requirePositive(String option, int value) {
    if (value < 1) {
      throw CommandFailure.invalid(
          "%s is %d; it must be at least 1".formatted(option, value),
          "See abacus experiment paper --help.");
    }
  }
}

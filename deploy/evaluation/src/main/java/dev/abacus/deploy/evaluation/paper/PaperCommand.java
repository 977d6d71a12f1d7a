package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.evaluation.dataset.DataFolder;
import dev.abacus.optimizer.api.PolicyName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus experiment paper}. */
@Command(
    name = "paper",
    description = {
      "Reproduce the tables and figures of the paper's evaluation with real documents and simulated models.",
      "The product does not include the documents; --data names a folder with your copies in the subfolders",
      "biodex, cuad and mmqa. A full run takes about 30 minutes on two cores; --table, --data-set and --seeds",
      "reduce it."
    },
    footer = {
      "%nExamples:",
      "  abacus experiment paper --data ~/data --to /tmp/paper",
      "  abacus experiment paper --data ~/data --table quality,cheap --data-set cuad --seeds 3"
    })
public final class PaperCommand implements Runnable {

  private static final String HELP = "See abacus experiment paper --help.";

  @Option(
      names = "--table",
      split = ",",
      paramLabel = "NAME",
      description = "quality, cheap, priors, bounds or ablation (default: all of them).")
  private List<String> tables = List.of();

  @Option(
      names = "--data-set",
      split = ",",
      paramLabel = "NAME",
      description = "biodex, cuad or mmqa (default: all data sets of the table in the paper).")
  private List<String> dataSets = List.of();

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "paper,surrogate",
      description = "Sampling policies: paper, surrogate, random (default: ${DEFAULT-VALUE}).")
  private List<String> policies = List.of();

  @Option(
      names = "--budget",
      split = ",",
      paramLabel = "N",
      defaultValue = "25,50,100",
      description =
          "Samples per semantic operator for the figure of priors; other tables use the largest up to 50"
              + " (default: ${DEFAULT-VALUE}).")
  private List<Integer> budgets = List.of();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "10",
      description = "Searches per configuration (default: ${DEFAULT-VALUE}, as in the paper).")
  private int seeds = 10;

  @Option(
      names = "--to",
      paramLabel = "DIR",
      defaultValue = "paper-experiments",
      description = "Folder for paper.md (default: ${DEFAULT-VALUE}).")
  private Path to = Path.of("");

  @Mixin private DataFolder data = new DataFolder();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    if (seeds < 1) {
      throw invalid("--seeds is " + seeds + "; it must be at least 1");
    }
    if (budgets.stream().anyMatch(budget -> budget < 1)) {
      throw invalid("--budget is " + budgets + "; samples must be at least 1");
    }
    Set<PaperTable> wanted = named("--table", tables, PaperTable.class);
    Set<PaperDataset> sets = named("--data-set", dataSets, PaperDataset.class);
    sets.removeIf(set -> wanted.stream().noneMatch(table -> table.dataSets().contains(set)));
    if (sets.isEmpty()) {
      throw invalid("the paper has none of these tables for the data sets");
    }
    PaperTable.Grid grid =
        new PaperTable.Grid(policies.stream().map(PaperCommand::policy).toList(), budgets);
    sets.forEach(set -> data.require(set.folder()));
    PaperReport report =
        new PaperReport(
            new EnumMap<>(PaperTable.class),
            seeds,
            sets.stream().map(PaperDataset::title).toList());
    for (PaperDataset set : sets) {
      measure(set, wanted, grid, report);
    }
    if (output.json()) {
      output.value(report.findings());
    } else {
      output.line(report.markdown());
    }
    output.note("written: " + report.writeTo(to));
  }

  /** Adds the tables of one data set, so that memory holds only one, and writes what there is. */
  private void measure(
      PaperDataset set, Set<PaperTable> wanted, PaperTable.Grid grid, PaperReport report) {
    try (SearchTrials trials =
        SearchTrials.of(set, data.path(), seeds, progress -> output.note("  " + progress))) {
      for (PaperTable table : wanted) {
        if (table.dataSets().contains(set)) {
          report
              .findings()
              .computeIfAbsent(table, _ -> new ArrayList<>())
              .addAll(table.run(trials, grid));
          report.writeTo(to);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.failed("interrupted", "Run it again.", e);
    }
  }

  private static PolicyName policy(String label) {
    try {
      return PolicyName.ofLabel(label);
    } catch (IllegalArgumentException e) {
      throw invalid("--policy: " + e.getMessage());
    }
  }

  /** Returns the named constants; all constants if no name is given. */
  private static <E extends Enum<E>> Set<E> named(
      String option, List<String> names, Class<E> type) {
    Set<E> found = names.isEmpty() ? EnumSet.allOf(type) : EnumSet.noneOf(type);
    for (String name : names) {
      try {
        found.add(Enum.valueOf(type, name.toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        String there =
            Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        throw invalid("%s: unknown value '%s'; valid values are %s".formatted(option, name, there));
      }
    }
    return found;
  }

  private static CommandFailure invalid(String what) {
    return CommandFailure.invalid(what, HELP);
  }
}

package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.evaluation.dataset.DataFolder;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus bench cascade}. */
@Command(
    name = "cascade",
    description = {
      "Measure the classifier of a learned cascade on BANKING77, with real labels and local embeddings, without",
      "a model. The product does not include the data; --data names your copy."
    },
    footer = {"%nExample:", "  abacus bench cascade --data ~/banking77 --runs 10 -o json"})
final class CascadeCommand implements Runnable {

  @Option(
      names = "--training",
      split = ",",
      paramLabel = "N",
      defaultValue = "50,100,200,400,770",
      description = "Training set sizes (default: ${DEFAULT-VALUE}).")
  private List<Integer> sizes = List.of();

  @Option(
      names = "--target",
      split = ",",
      paramLabel = "SHARE",
      defaultValue = "0.9,0.95",
      description = "Required shares of correct answers (default: ${DEFAULT-VALUE}).")
  private List<Double> targets = List.of();

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "10",
      description = "Random training sets per size (default: ${DEFAULT-VALUE}).")
  private int runs = 10;

  @Mixin private DataFolder data = new DataFolder();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    if (runs < 1
        || sizes.stream().anyMatch(size -> size < 1)
        || targets.stream().anyMatch(target -> !(target > 0 && target < 1))) {
      throw CommandFailure.invalid(
          "--runs and --training must be above 0, --target between 0 and 1",
          "See abacus bench cascade --help.");
    }
    List<CascadeReport> reports = measure();
    if (output.json()) {
      output.value(reports);
    } else {
      output.line(
          "question  classes  training  target  runs  without  accuracy  alone  precision  on target  fit");
      reports.forEach(report -> output.line(line(report)));
    }
  }

  private List<CascadeReport> measure() {
    try {
      return new CascadeBenchmark(data.require(""), targets, runs).run(sizes, output::note);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static String line(CascadeReport report) {
    return String.format(
        Locale.ROOT,
        "%-8s  %7d  %8d  %6.2f  %4d  %7d  %8.3f  %5.3f  %9.3f  %9.2f  %.1f s",
        report.question(),
        report.classes(),
        report.training(),
        report.target(),
        report.runs(),
        report.withoutClassifier(),
        report.accuracy(),
        report.alone(),
        report.precision(),
        report.onTarget(),
        report.trainingSeconds());
  }
}

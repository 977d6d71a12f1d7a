package dev.abacus.deploy.evaluation.paper;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The reproduced tables and figures of the paper's evaluation. */
enum PaperTable {
  QUALITY("Maximize quality (the paper's Table 2)"),
  CHEAP("Minimize cost, minimize latency (the paper's Table 3)"),
  PRIORS("Priors against budget (the paper's figure of priors)"),
  BOUNDS("Tighter bounds on cost (the paper's figure of cost bounds)"),
  ABLATION("Ablation (the paper's last figure)");

  private final String title;

  PaperTable(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Returns the data sets that the paper uses for the table. */
  Set<PaperDataset> dataSets() {
    return switch (this) {
      case QUALITY, CHEAP -> EnumSet.allOf(PaperDataset.class);
      case PRIORS, BOUNDS -> EnumSet.of(PaperDataset.BIODEX, PaperDataset.CUAD);
      case ABLATION -> EnumSet.of(PaperDataset.BIODEX);
    };
  }

  List<String> columns() {
    return switch (this) {
      case QUALITY ->
          List.of(
              "data set", "search by", "quality", "search", "execution", "total", "search takes");
      case CHEAP ->
          List.of("data set", "objective", "search by", "quality", "cost or latency", "reduction");
      case PRIORS ->
          List.of(
              "data set",
              "objective",
              "search by",
              "samples",
              "no priors",
              "naive",
              "sampled",
              "bound met");
      case BOUNDS ->
          List.of("data set", "search by", "bound", "no priors", "sampled priors", "bound met");
      case ABLATION ->
          List.of("objective", "samples by", "plan by", "priors", "quality", "cost", "bound met");
    };
  }
}

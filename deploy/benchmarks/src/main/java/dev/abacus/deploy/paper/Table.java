package dev.abacus.deploy.paper;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The tables and figures of the paper's evaluation that are made again. */
enum Table {
  QUALITY(
      "Maximize quality (the paper's Table 2)",
      EnumSet.allOf(DataSet.class),
      List.of("data set", "search by", "quality", "search", "execution", "total", "search takes")),
  CHEAP(
      "Minimize cost, minimize latency (the paper's Table 3)",
      EnumSet.allOf(DataSet.class),
      List.of("data set", "objective", "search by", "quality", "cost or latency", "reduction")),
  PRIORS(
      "Priors against budget (the paper's figure of priors)",
      EnumSet.of(DataSet.BIODEX, DataSet.CUAD),
      List.of(
          "data set",
          "objective",
          "search by",
          "samples",
          "no priors",
          "naive",
          "sampled",
          "bound met")),
  BOUNDS(
      "Tighter bounds on cost (the paper's figure of cost bounds)",
      EnumSet.of(DataSet.BIODEX, DataSet.CUAD),
      List.of("data set", "search by", "bound", "no priors", "sampled priors", "bound met")),
  ABLATION(
      "Ablation (the paper's last figure)",
      EnumSet.of(DataSet.BIODEX),
      List.of("objective", "samples by", "plan by", "priors", "quality", "cost", "bound met"));

  private final String title;
  private final Set<DataSet> dataSets;
  private final List<String> columns;

  Table(String title, Set<DataSet> dataSets, List<String> columns) {
    this.title = title;
    this.dataSets = dataSets;
    this.columns = columns;
  }

  String title() {
    return title;
  }

  /** Data sets that the paper has it for. */
  Set<DataSet> dataSets() {
    return EnumSet.copyOf(dataSets);
  }

  List<String> columns() {
    return columns;
  }

  /** The name users write. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

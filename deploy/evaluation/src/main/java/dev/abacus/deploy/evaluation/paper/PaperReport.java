package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.file.InvalidFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The experiments as Markdown, charts as SVG files beside it. */
record PaperReport(Map<PaperTable, TableResult> findings, int seeds, List<String> dataSets) {

  private static final String LIMITS =
      """
      ## What this cannot say

      - **How good real models are.** A simulated model knows the label of a document and errs by one formula, the same
        for all models but for a published accuracy and a little chance. So absolute qualities mean nothing, and which
        technique or model is best here says nothing of which is best in reality. Comparable are relations: what
        a bound costs, what priors bring, which way to search finds more.
      - **Documents.** Other samples than the paper's, and fewer; BioDEX reports without any match are missing
        (see where your copy comes from).
      - **Cost** follows from the tokens of real prompts and list prices, so it may be compared, with care: prompts are
        ours and not the paper's, and no prompt is served from a provider's cache.
      - **Time** is modelled per call. A search's time takes all samples of a wave to run side by side; time per document
        leaves out queueing, rate limits and the pool of documents in flight. Not comparable with the paper's.
      - **Embeddings** are bags of hashed words under the name of the paper's model: they find what shares words, not
        what means the same.
      - **Images** are recognised by their bytes; nothing is seen in them.
      - Above temperature 0 the same request gets the same answer here.
      """;

  /** Everything. */
  String markdown() {
    StringBuilder text = new StringBuilder(introduction());
    findings.forEach((table, found) -> section(text, table, found));
    return text.append('\n').append(LIMITS).toString();
  }

  private String introduction() {
    return """
    # The paper's experiments on simulated models

    Real documents (%s), real labels, the product's own operators, scoring, optimizer loop and plan search; only
    the models are simulated. Figures are means of %d searches ± standard deviation, each on its own random half of
    the labelled documents; quality, cost and latency of a plan are measured on the other half. Rows marked
    *paper* are quoted from the paper. A search that ends without a plan counts as quality 0 and as missing its bounds.
    """
        .formatted(String.join(", ", dataSets), seeds);
  }

  private static void section(StringBuilder text, PaperTable table, TableResult found) {
    text.append("\n## ").append(table.title()).append("\n\n");
    row(text, table.columns());
    row(text, table.columns().stream().map(_ -> "---").toList());
    found.rows().forEach(cells -> row(text, cells));
    if (!found.remarks().isEmpty()) {
      text.append('\n');
      found.remarks().forEach(remark -> text.append("- ").append(remark).append('\n'));
    }
    found
        .charts()
        .forEach(chart -> text.append("\n![%s](%s.svg)\n".formatted(chart.title(), chart.file())));
  }

  private static void row(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /**
   * Writes {@code paper.md} and the charts.
   *
   * @return the files
   * @throws InvalidFileException if one cannot be written
   */
  List<Path> writeTo(Path folder) {
    List<Path> files = new ArrayList<>();
    try {
      Files.createDirectories(folder);
      files.add(Files.writeString(folder.resolve("paper.md"), markdown()));
      for (TableResult found : findings.values()) {
        for (Chart chart : found.charts()) {
          files.add(Files.writeString(folder.resolve(chart.file() + ".svg"), chart.svg()));
        }
      }
    } catch (IOException e) {
      throw InvalidFileException.of(folder, "cannot be written", e);
    }
    return files;
  }
}

package dev.abacus.deploy.evaluation.paper;

import java.util.List;
import java.util.Map;

/** The report: Markdown with the tables. */
record PaperReport(Map<PaperTable, List<SearchResult>> findings, int seeds, List<String> dataSets) {

  private static final String LIMITS =
      """
      ## Limits

      - **Model quality.** A simulated model knows the label of a document and errs by one formula, which differs between
        models only by a published accuracy and random noise. Absolute qualities have no meaning, and the best technique
        or model here need not be the best in reality. Relations are comparable: the effect of the
        objective and of the sampling policy.
      - **Documents.** The samples are smaller than the paper's and differ from them; BioDEX reports without any match
        are missing (see the source of your copy).
      - **Cost** follows from the tokens of real prompts and list prices. Compare it with care: the prompts differ from the
        paper's, and no prompt comes from a provider's cache.
      - **Time** is modelled per call. The time of a search assumes that all samples of a wave run in parallel; the time per
        document excludes queueing, rate limits and the limit of documents in flight. It is not comparable with the paper's.
      - **Embeddings** are bags of hashed words under the name of the paper's model: they find shared words, not shared
        meaning.
      - **Images** are recognised by their bytes, not by their content.
      - At temperatures above 0, the same request gets the same answer.
      """;

  /** Returns the whole report as Markdown. */
  String markdown() {
    StringBuilder text = new StringBuilder(introduction());
    findings.forEach((table, found) -> section(text, table, found));
    return text.append('\n').append(LIMITS).toString();
  }

  private String introduction() {
    return """
    # The paper's experiments on simulated models

    Real documents (%s), real labels, and the operators, scoring, optimizer loop and plan search of the product; only the
    models are simulated. Figures are means of %d searches ± standard deviation. Each search uses a random half of the
    labelled documents; quality, cost and latency of the plan are measured on the other half.
    A search without a plan counts as quality 0.
    """
        .formatted(String.join(", ", dataSets), seeds);
  }

  private static void section(StringBuilder text, PaperTable table, List<SearchResult> found) {
    text.append("\n## ").append(table.title()).append("\n\n");
    row(text, SearchResult.COLUMNS);
    row(text, SearchResult.COLUMNS.stream().map(_ -> "---").toList());
    found.forEach(result -> row(text, result.cells()));
  }

  private static void row(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}

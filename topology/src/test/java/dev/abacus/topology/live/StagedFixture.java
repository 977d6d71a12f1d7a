package dev.abacus.topology.live;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Operators of programs of several stages, and a pipeline that a test may restart. */
abstract class StagedFixture {

  static final String HEAD =
      """
      program: staged
      sources: { docs: { topic: in }, others: { topic: in2 } }
      results: { topic: out }
      operators:
      """;

  static final String ONE_SOURCE = HEAD.replace(", others: { topic: in2 }", "");

  /** One output per word. */
  static final String SPLIT =
      """
        - map: split
          instruction: Split.
          reads: [text]
          writes: { word: string }
          cardinality: many
      """;

  static final String TITLE =
      """
        - map: title
          instruction: Give it a title.
          reads: [text]
          writes: { title: string }
      """;

  static final String KEEP =
      """
        - filter: keep
          condition: Keep it.
          reads: [text]
      """;

  @TempDir Path state;
  private @Nullable Pipeline pipeline;

  @AfterEach
  void close() {
    if (pipeline != null) {
      pipeline.close();
    }
  }

  Pipeline open(String yaml) {
    Pipeline opened = new Pipeline(state, yaml);
    pipeline = opened;
    return opened
        .operator("split", StagedFixture::words)
        .operator(
            "keep",
            document ->
                document.get("text").asText("").contains("drop") ? List.of() : List.of(document))
        .operator(
            "title",
            document ->
                document.toString().contains("fail")
                    ? null
                    : List.of(document.with("title", TextNode.valueOf("T"))));
  }

  private static List<Document> words(Document document) {
    List<Document> words = new ArrayList<>();
    for (String word : document.get("text").asText().split(" ", -1)) {
      words.add(document.with("word", TextNode.valueOf(word)));
    }
    return words;
  }

  static String aggregate(String window, String more) {
    return ONE_SOURCE
        + """
          - aggregate: daily
            by: [who]
            window: { WINDOW }
            compute: { n: count, total: sum(x), mean: avg(x), least: min(x), all: list(x) }
        MORE
        """
            .replace("WINDOW", window)
            .replace("MORE", more);
  }
}

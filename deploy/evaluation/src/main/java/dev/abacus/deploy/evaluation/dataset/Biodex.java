package dev.abacus.deploy.evaluation.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.file.JsonLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * BioDEX (D'Oosterlinck et al. 2023): medical case reports with adverse reactions, as terms of a
 * vocabulary. The program is the paper's: a map to reactions, a top-k over the terms, and a map
 * that ranks them.
 *
 * <p>Reads {@code reaction_vocabulary.jsonl} ({@code label}), {@code train.jsonl}, {@code
 * validation.jsonl} and, if present, {@code test.jsonl} ({@code id}, {@code title}, {@code text},
 * {@code reactions}).
 *
 * <p>Evidence of a reaction: the first sentence with its literal name, else the sentence with most
 * of its words, else the first sentence. Difficulty: 0.2 + 0.4 × the share of reactions that the
 * text does not name literally.
 */
final class Biodex {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Set<String> vocabulary = new HashSet<>();
  private final List<ObjectNode> terms = new ArrayList<>();

  private Biodex() {}

  /**
   * Reads the data set.
   *
   * @throws dev.abacus.deploy.file.InvalidFileException if a file is missing or a line is malformed
   */
  static Dataset read(Path folder) {
    return new Biodex().readAll(folder);
  }

  private Dataset readAll(Path folder) {
    for (JsonLines.Line line : JsonLines.read(folder.resolve("reaction_vocabulary.jsonl"))) {
      String label = line.text("label");
      if (!vocabulary.add(label.toLowerCase(Locale.ROOT))) {
        throw line.wrong("duplicate term '" + label + "'");
      }
      terms.add(JSON.objectNode().put("label", label));
    }
    return new Dataset(
        Dataset.resource("/dev/abacus/deploy/examples/adverse-reactions/program.yaml"),
        "reports",
        Dataset.readSplits(folder, this::report),
        Map.of("terms", terms));
  }

  private LabelledDocument report(JsonLines.Line line, String split) {
    String text = line.text("text");
    ArrayNode reactions = reactions(line);
    Passages passages = new Passages(text);
    List<String> spans = new ArrayList<>();
    int named = 0;
    for (JsonNode reaction : reactions) {
      String span = passages.bestMatch(reaction.asText());
      spans.add(span.isEmpty() ? passages.first() : span);
      named += passages.contain(reaction.asText()) ? 1 : 0;
    }
    double hard = 0.2 + 0.4 * (1 - named / (double) reactions.size());
    ObjectNode document =
        JSON.objectNode()
            .put("id", line.text("id"))
            .put("title", line.text("title"))
            .put("text", text);
    return LabelledDocument.of(line.text("id"), split, document)
        .label("extract", JSON.objectNode().set("reactions", reactions))
        .label("candidates", reactions)
        .label("rank", JSON.objectNode().set("ranked_terms", reactions))
        .answer("reactions", reactions, spans, hard)
        .answer("ranked_terms", reactions, spans, hard);
  }

  private ArrayNode reactions(JsonLines.Line line) {
    ArrayNode reactions = Dataset.texts(line, "reactions");
    for (JsonNode reaction : reactions) {
      if (!vocabulary.contains(reaction.asText().toLowerCase(Locale.ROOT))) {
        throw line.wrong("the reaction '" + reaction.asText() + "' is not in the vocabulary");
      }
    }
    return reactions;
  }
}

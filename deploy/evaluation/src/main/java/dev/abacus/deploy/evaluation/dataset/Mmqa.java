package dev.abacus.deploy.evaluation.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.file.JsonLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * MultiModalQA (Talmor et al. 2021): questions with answers in texts, tables and images. The
 * program is the paper's: a search string and a join for each of the three kinds, and a map that
 * answers.
 *
 * <p>Reads {@code questions.jsonl} ({@code qid}, {@code split}, {@code question}, {@code answers},
 * {@code supporting_{text,table,image}_ids}) and {@link MmqaItems}. As in the paper, references
 * contain only items that support a question.
 *
 * <p>The search string of a kind is the titles of its supporting items, or null without such items.
 * The evidence of an answer is the sentence or row of a supporting item that contains it literally;
 * without one, it is the id of the first supporting item, so that only a successful join gives the
 * answer. Difficulty: search strings 0.1, conditions 0.2, answers 0.2 plus 0.2 for every further
 * kind of supporting item.
 */
final class Mmqa {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final MmqaItems items;

  private Mmqa(MmqaItems items) {
    this.items = items;
  }

  /**
   * Reads the data set.
   *
   * @throws dev.abacus.deploy.file.InvalidFileException if a file is missing or a line is malformed
   */
  static Dataset read(Path folder) {
    Mmqa mmqa = new Mmqa(MmqaItems.read(folder));
    List<LabelledDocument> questions =
        JsonLines.read(folder.resolve("questions.jsonl")).stream().map(mmqa::question).toList();
    Map<String, List<ObjectNode>> references = new LinkedHashMap<>();
    for (Kind kind : Kind.values()) {
      references.put(kind.reference, mmqa.items.all(kind));
    }
    return new Dataset(
        Dataset.resource("/dev/abacus/deploy/examples/multi-modal-questions/program.yaml"),
        "questions",
        questions,
        references);
  }

  /** The kinds of supporting items. */
  enum Kind {
    TEXT("texts", "The text holds facts that the question asks for or builds on."),
    TABLE("tables", "The table holds facts that the question asks for or builds on."),
    IMAGE("images", "The image shows something that the question asks for or builds on.");

    final String reference;
    final String condition;

    Kind(String reference, String condition) {
      this.reference = reference;
      this.condition = condition;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private LabelledDocument question(JsonLines.Line line) {
    ObjectNode document =
        JSON.objectNode().put("id", line.text("qid")).put("question", line.text("question"));
    LabelledDocument labelled = LabelledDocument.of(line.text("qid"), line.text("split"), document);
    List<String> supporting = new ArrayList<>();
    int kinds = 0;
    for (Kind kind : Kind.values()) {
      ArrayNode ids = supporting(line, kind);
      ids.forEach(id -> supporting.add(id.asText()));
      kinds += ids.isEmpty() ? 0 : 1;
      List<String> titles = new ArrayList<>();
      ids.forEach(id -> titles.add(items.title(id.asText())));
      labelled
          .label("with-" + kind.reference, ids)
          .condition(kind.condition, ids, List.of(), 0.2)
          .answer(
              kind.word() + "_query",
              titles.isEmpty()
                  ? JSON.nullNode()
                  : JSON.textNode(String.join("; ", titles.stream().distinct().toList())),
              List.of(),
              0.1);
    }
    ArrayNode answers = Dataset.texts(line, "answers");
    List<String> shown = new ArrayList<>();
    answers.forEach(answer -> shown.add(items.evidence(answer.asText(), supporting)));
    return labelled
        .label("answer", JSON.objectNode().set("answers", answers))
        .answer("answers", answers, shown, 0.2 + 0.2 * Math.max(0, kinds - 1));
  }

  private ArrayNode supporting(JsonLines.Line line, Kind kind) {
    ArrayNode ids = JSON.arrayNode();
    for (JsonNode id : line.object().get("supporting_" + kind.word() + "_ids")) {
      if (!items.has(kind, id.asText())) {
        throw line.wrong(
            "the supporting %s '%s' is not in %s.jsonl"
                .formatted(kind.word(), id.asText(), kind.reference));
      }
      ids.add(id.asText());
    }
    return ids;
  }
}

package dev.abacus.deploy.evaluation.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.file.JsonLines;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Enron e-mails with the labels of Palimpzest's demonstration: a relevant mail refers to a
 * fraudulent scheme and does not only quote the news. The program is a filter with these two
 * conditions, and a map to sender and subject.
 *
 * <p>Reads {@code emails.jsonl} ({@code id}, {@code split}, {@code text}, {@code sender}, {@code
 * subject}, {@code relevant}).
 *
 * <p>The label covers both conditions together. A mail refers to a scheme if it names one or is
 * labelled relevant; a mail that refers to a scheme but is not relevant quotes the news.
 * Difficulty: 0.2, or 0.5 for a mail that names a scheme and is not relevant.
 */
final class Enron {

  static final String REFERS =
      "The mail refers to a fraudulent scheme of Enron, such as Raptor, Deathstar, Chewco or Fat Boy.";
  static final String OWN_WORDS =
      "The mail is not quoting a news article or an article written by someone outside of Enron.";

  /** The condition of a single call that decides both. */
  static final String BOTH = "All of these hold:\n- " + REFERS + "\n- " + OWN_WORDS;

  private static final Pattern SCHEME =
      Pattern.compile(
          "raptor|death\\s?star|chewco|fat\\s?boy",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private Enron() {}

  /**
   * Reads the data set.
   *
   * @throws dev.abacus.deploy.file.InvalidFileException if the file is missing or a line is
   *     malformed
   */
  static Dataset read(Path folder) {
    return new Dataset(
        Dataset.resource("/dev/abacus/deploy/examples/fraud-mail/program.yaml"),
        "mails",
        JsonLines.read(folder.resolve("emails.jsonl")).stream().map(Enron::mail).toList(),
        Map.of());
  }

  private static LabelledDocument mail(JsonLines.Line line) {
    JsonNode label = line.object().get("relevant");
    if (!label.isBoolean()) {
      throw line.wrong("'relevant' is missing or not a boolean");
    }
    boolean relevant = label.asBoolean();
    String text = line.text("text");
    List<String> mentions = new Passages(text).matching(SCHEME).toList();
    boolean refers = relevant || !mentions.isEmpty();
    double hard = refers && !relevant ? 0.5 : 0.2;
    JsonNode sender = JSON.textNode(line.object().get("sender").asText(""));
    JsonNode subject = JSON.textNode(line.object().get("subject").asText(""));
    ObjectNode document = JSON.objectNode().put("id", line.text("id")).put("text", text);
    return LabelledDocument.of(line.text("id"), line.text("split"), document)
        .label("relevant", label)
        .label(
            "header", JSON.objectNode().<ObjectNode>set("sender", sender).set("subject", subject))
        .answer("sender", sender, List.of(), 0.1)
        .answer("subject", subject, List.of(), 0.1)
        .condition(REFERS, JSON.booleanNode(refers), mentions, hard)
        .condition(OWN_WORDS, JSON.booleanNode(relevant || !refers), List.of(), hard)
        .condition(BOTH, label, mentions, hard);
  }
}

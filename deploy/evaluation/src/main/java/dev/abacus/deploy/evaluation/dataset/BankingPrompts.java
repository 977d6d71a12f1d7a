package dev.abacus.deploy.evaluation.dataset;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.schemas.kafka.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Programs over the messages of {@link Banking77} whose prompts have long parts that documents
 * share. Each message comes with earlier messages of the stream, about 200 tokens.
 *
 * <p>Reads {@code messages.jsonl} and {@code stream.jsonl} ({@code id}, {@code text}, {@code
 * intent}).
 */
public final class BankingPrompts {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final int MOST_DOCUMENTS = 300;
  private static final int MOST_EXAMPLES = 100;

  /** Earlier messages of a document. */
  private static final int EARLIER = 14;

  /** Messages of each intent in the handbook: about 3,000 tokens. */
  private static final int SHOWN = 3;

  /** Characters of the terms: about 1,300 tokens. */
  private static final int TERMS = 6_000;

  private static final int ACCOUNTS = 3;
  private static final double DIFFICULTY = 0.3;

  private final List<JsonLines.Line> messages;
  private final List<JsonLines.Line> stream;

  private BankingPrompts(Path folder) {
    Path file = folder.resolve("stream.jsonl");
    List<JsonLines.Line> all = JsonLines.read(folder.resolve("messages.jsonl"));
    this.messages =
        Stream.concat(
                all.stream()
                    .filter(line -> !line.text("split").equals(Dataset.VALIDATION))
                    .limit(MOST_DOCUMENTS),
                all.stream()
                    .filter(line -> line.text("split").equals(Dataset.VALIDATION))
                    .limit(MOST_EXAMPLES))
            .toList();
    this.stream = JsonLines.read(file);
    if (stream.size() < messages.size() * EARLIER) {
      throw InvalidFileException.of(
          file,
          "has %d messages; %d are needed".formatted(stream.size(), messages.size() * EARLIER));
    }
  }

  /**
   * The instruction has messages of each intent, about 3,000 tokens.
   *
   * @throws InvalidFileException if a file is missing or a line is malformed
   */
  public static Dataset withHandbook(Path folder) {
    BankingPrompts prompts = new BankingPrompts(folder);
    return prompts.dataset(
        "Decide which of the bank's support intents the customer's message expresses. The handbook"
            + " has messages of each intent:\n"
            + prompts.handbook(),
        List.of("text", "earlier"),
        List.of());
  }

  /**
   * Each document has the terms of one of three accounts, about 1,300 tokens, behind the message:
   * the beginnings of contracts.
   *
   * @param contracts folder of {@link Cuad}
   * @throws InvalidFileException if a file is missing or a line is malformed
   */
  public static Dataset withTerms(Path folder, Path contracts) {
    List<String> terms =
        JsonLines.read(contracts.resolve("train.jsonl")).stream()
            .map(line -> line.text("text"))
            .filter(text -> text.length() > TERMS)
            .limit(ACCOUNTS)
            .map(text -> text.substring(0, TERMS))
            .toList();
    return new BankingPrompts(folder)
        .dataset(
            "Decide which of the bank's support intents the customer's message expresses.",
            List.of("text", "earlier", "terms"),
            terms);
  }

  private String handbook() {
    Map<String, List<String>> byIntent = new LinkedHashMap<>();
    // The end of the stream: its beginning is that of the documents.
    for (JsonLines.Line line : stream.reversed()) {
      List<String> shown = byIntent.computeIfAbsent(line.text("intent"), _ -> new ArrayList<>());
      if (shown.size() < SHOWN) {
        shown.add(line.text("text"));
      }
    }
    return byIntent.entrySet().stream()
        .map(intent -> intent.getKey() + ": " + String.join(" / ", intent.getValue()))
        .collect(Collectors.joining("\n"));
  }

  private Dataset dataset(String instruction, List<String> reads, List<String> terms) {
    List<LabelledDocument> documents = new ArrayList<>();
    for (JsonLines.Line line : messages) {
      documents.add(document(line, documents.size(), terms));
    }
    Set<String> intents = new TreeSet<>();
    messages.forEach(line -> intents.add(line.text("intent")));
    String program =
        Dataset.resource("banking-prompts.yaml")
            .replace("${instruction}", JSON.textNode(instruction).toString())
            .replace("${reads}", String.join(", ", reads))
            .replace("${intents}", Json.tree(intents).toString());
    return new Dataset(program, "messages", documents, Map.of());
  }

  private LabelledDocument document(JsonLines.Line line, int number, List<String> terms) {
    String text = line.text("text");
    ObjectNode known = JSON.objectNode().put("id", line.text("id")).put("text", text);
    ObjectNode document =
        known
            .deepCopy()
            .put(
                "earlier",
                stream.subList(number * EARLIER, (number + 1) * EARLIER).stream()
                    .map(earlier -> earlier.text("text"))
                    .collect(Collectors.joining("\n")));
    if (!terms.isEmpty()) {
      document.put("terms", terms.get(number % terms.size()));
    }
    String split = line.text("split").equals(Dataset.VALIDATION) ? Dataset.VALIDATION : "train";
    return LabelledDocument.of(line.text("id"), split, document)
        .label("classify", JSON.objectNode().put("intent", line.text("intent")))
        .answer("intent", JSON.textNode(line.text("intent")), List.of(text), DIFFICULTY)
        .knownBy(known);
  }
}

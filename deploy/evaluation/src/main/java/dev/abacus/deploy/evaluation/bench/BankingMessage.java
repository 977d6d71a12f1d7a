package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.dataset.Banking77;
import dev.abacus.deploy.file.JsonLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A labelled message of BANKING77.
 *
 * @param split split of the data set
 * @param problem whether the intent of the message is a problem
 */
record BankingMessage(String id, String split, String text, String intent, boolean problem) {

  /**
   * Reads {@code messages.jsonl}.
   *
   * @throws dev.abacus.deploy.file.InvalidFileException if the file is missing or a line is
   *     malformed
   */
  static List<BankingMessage> read(Path folder) {
    Map<String, Boolean> problems = Banking77.problems();
    List<BankingMessage> messages = new ArrayList<>();
    for (JsonLines.Line line : JsonLines.read(folder.resolve("messages.jsonl"))) {
      Boolean problem = problems.get(line.text("intent"));
      if (problem == null) {
        throw line.wrong("'" + line.text("intent") + "' is not one of the 77 intents of BANKING77");
      }
      messages.add(
          new BankingMessage(
              line.text("id"),
              line.text("split"),
              line.text("text"),
              line.text("intent"),
              problem));
    }
    return messages;
  }
}

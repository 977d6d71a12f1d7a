package dev.abacus.deploy.evaluation.learning;

import dev.abacus.deploy.file.JsonLines;
import java.nio.file.Path;
import java.util.List;

/** A message of a stream with the intent that people gave it. */
record StreamMessage(String id, String text, String intent) {

  /**
   * Reads a file of messages.
   *
   * @throws dev.abacus.deploy.file.InvalidFileException if the file is missing or a line is
   *     malformed
   */
  static List<StreamMessage> read(Path file) {
    return JsonLines.read(
        file, line -> new StreamMessage(line.text("id"), line.text("text"), line.text("intent")));
  }
}

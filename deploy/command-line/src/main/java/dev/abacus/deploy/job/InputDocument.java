package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Source;
import java.nio.file.Path;
import java.util.List;

/**
 * A document to be sent.
 *
 * @param key the record's key: the text of the source's key field
 */
public record InputDocument(String key, Document document) {

  /**
   * The documents of a JSON Lines file.
   *
   * @throws dev.abacus.deploy.file.InvalidFileException if a line is no object or lacks the key
   */
  public static List<InputDocument> read(Path file, Source source) {
    return JsonLines.read(file).stream().map(line -> of(line, source)).toList();
  }

  private static InputDocument of(JsonLines.Line line, Source source) {
    JsonNode key = line.object().get(source.key());
    if (!key.isValueNode() || key.isNull() || key.asText().isBlank()) {
      throw line.wrong(
          "the field '%s', which is the key of source '%s', is missing or empty"
              .formatted(source.key(), source.name()));
    }
    return new InputDocument(key.asText(), line.object());
  }
}

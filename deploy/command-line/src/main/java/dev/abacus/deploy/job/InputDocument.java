package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.file.FileReading;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A document, or a reference item, to send.
 *
 * @param key the record key: the text of the key field of the source or reference
 */
public record InputDocument(String key, Document document) {

  /**
   * Reads the documents of a file, or the files of a folder, each of which is a document whose key
   * is its name.
   *
   * @throws InvalidFileException if a line is not an object or lacks the key field, or if the
   *     documents of the source are no files
   */
  public static List<InputDocument> read(Path file, Source source) {
    if (Files.isDirectory(file)) {
      return ofFolder(file, source);
    }
    String owner = "source '" + source.name() + "'";
    return JsonLines.read(file, line -> of(line, source.key(), owner));
  }

  private static List<InputDocument> ofFolder(Path folder, Source source) {
    if (source.format() != Format.FILE) {
      throw InvalidFileException.of(
          folder,
          "is a folder, and the documents of source '%s' are no files; set its 'format: file'"
              .formatted(source.name()));
    }
    try (Stream<Path> paths = Files.list(folder)) {
      List<InputDocument> documents = new ArrayList<>();
      for (Path path : paths.filter(Files::isRegularFile).sorted().toList()) {
        String key = path.getFileName().toString();
        documents.add(
            new InputDocument(
                key, FileReading.document(source.key(), key, Files.readAllBytes(path))));
      }
      return documents;
    } catch (IOException e) {
      throw InvalidFileException.of(folder, "cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Reads the items of a reference.
   *
   * @throws InvalidFileException if a line is not an object, lacks the key field or an embedded
   *     field, or repeats a key; or if the file has no item
   */
  public static List<InputDocument> read(Path file, Reference reference) {
    String owner = "reference '" + reference.name() + "'";
    Set<String> keys = new HashSet<>();
    List<InputDocument> items =
        JsonLines.read(
            file,
            line -> {
              InputDocument item = of(line, reference.key(), owner);
              if (!keys.add(item.key())) {
                throw line.wrong("a second item has the key '" + item.key() + "'");
              }
              checkEmbedded(line, reference, owner);
              return item;
            });
    if (items.isEmpty()) {
      throw InvalidFileException.of(file, "holds no item of " + owner);
    }
    return items;
  }

  private static void checkEmbedded(JsonLines.Line line, Reference reference, String owner) {
    for (String field : reference.embed()) {
      if (isEmpty(line.object().get(field))) {
        throw line.wrong(
            "the field '%s', which %s embeds, is missing or empty".formatted(field, owner));
      }
    }
    if (reference.embed().isEmpty()
        && line.object().fieldNames().stream()
            .map(line.object()::get)
            .noneMatch(value -> value.isTextual() && !isEmpty(value))) {
      throw line.wrong("the item has no text, and %s embeds all text fields".formatted(owner));
    }
  }

  private static boolean isEmpty(JsonNode value) {
    return value.isMissingNode()
        || value.isNull()
        || (value.isContainerNode() && value.isEmpty())
        || (value.isTextual() && value.textValue().isBlank());
  }

  private static InputDocument of(JsonLines.Line line, String field, String owner) {
    JsonNode key = line.object().get(field);
    if (!key.isValueNode() || key.isNull() || key.asText().isBlank()) {
      throw line.wrong(
          "the field '%s', which is the key of %s, is missing or empty".formatted(field, owner));
    }
    return new InputDocument(key.asText(), line.object());
  }
}

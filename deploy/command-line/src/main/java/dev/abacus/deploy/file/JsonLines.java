package dev.abacus.deploy.file;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads and writes JSON Lines: one object per line, UTF-8. Ignores blank lines. */
public final class JsonLines {

  private JsonLines() {}

  /**
   * One line.
   *
   * @param number line number, from 1
   */
  public record Line(Path file, int number, Document object) {

    /**
     * The text of a field.
     *
     * @throws InvalidFileException if it is missing, blank or not a string
     */
    public String text(String field) {
      JsonNode value = object.get(field);
      if (!value.isTextual() || value.asText().isBlank()) {
        throw wrong("'" + field + "' is missing or not a string");
      }
      return value.asText();
    }

    /** Creates an exception about this line. */
    public InvalidFileException wrong(String message) {
      return InvalidFileException.at(file, number, message);
    }
  }

  /**
   * Reads all objects of a file.
   *
   * @throws InvalidFileException if the file does not exist or a line is not a JSON object
   */
  public static List<Line> read(Path file) {
    List<Line> lines = new ArrayList<>();
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      int number = 0;
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        number++;
        if (!text.isBlank()) {
          lines.add(parse(file, number, text));
        }
      }
      return lines;
    } catch (NoSuchFileException e) {
      throw InvalidFileException.of(file, "no such file", e);
    } catch (MalformedInputException e) {
      throw InvalidFileException.of(file, "not UTF-8 text", e);
    } catch (IOException e) {
      throw InvalidFileException.of(file, "cannot be read: " + e.getMessage(), e);
    }
  }

  private static Line parse(Path file, int number, String text) {
    try {
      return new Line(file, number, Document.parse(text));
    } catch (InvalidDocumentException e) {
      throw InvalidFileException.at(file, number, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Writes one object per line; creates missing parent folders.
   *
   * @throws InvalidFileException if the file cannot be written
   */
  public static void write(Path file, Stream<? extends JsonNode> objects) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      try (BufferedWriter writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
        for (JsonNode object : objects.<JsonNode>map(object -> object).toList()) {
          writer.write(object.toString());
          writer.write('\n');
        }
      }
    } catch (IOException e) {
      throw InvalidFileException.of(file, "cannot be written: " + e.getMessage(), e);
    }
  }
}

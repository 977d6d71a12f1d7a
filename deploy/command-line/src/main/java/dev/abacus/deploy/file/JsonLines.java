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

/** Reads and writes JSON Lines: one object a line, UTF-8; blank lines are passed over. */
public final class JsonLines {

  private JsonLines() {}

  /**
   * One object of a file.
   *
   * @param number of the line, from 1
   */
  public record Line(Path file, int number, Document object) {

    /**
     * The text of a field.
     *
     * @throws InvalidFileException if it is missing, empty or no text
     */
    public String text(String field) {
      JsonNode value = object.get(field);
      if (!value.isTextual() || value.asText().isBlank()) {
        throw wrong("'" + field + "' is missing or is no text");
      }
      return value.asText();
    }

    /** A complaint about this line. */
    public InvalidFileException wrong(String message) {
      return InvalidFileException.at(file, number, message);
    }
  }

  /**
   * All objects of a file.
   *
   * @throws InvalidFileException if there is no such file, or a line is no JSON object
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
   * Writes one object a line; folders above the file are created.
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

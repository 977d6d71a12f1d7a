package dev.abacus.deploy.file;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.kafka.Json;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Reads and writes JSON Lines: one object per line, UTF-8. Ignores blank lines and a byte order
 * mark. Reads a file named {@code .csv} as {@link CsvTable}.
 */
public final class JsonLines {

  private static final String BYTE_ORDER_MARK = "\uFEFF";

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
   * @throws InvalidFileException with every line that is not a JSON object, or if there is no file
   */
  public static List<Line> read(Path file) {
    return read(file, Function.identity());
  }

  /**
   * Reads a file, converting each line.
   *
   * @param reader throws {@link Line#wrong} for a line with a mistake
   * @throws InvalidFileException with the mistakes of all lines, or if the file cannot be read
   */
  public static <T> List<T> read(Path file, Function<Line, T> reader) {
    String text = text(file);
    List<Supplier<Line>> rows =
        file.toString().toLowerCase(Locale.ROOT).endsWith(".csv")
            ? CsvTable.read(file, text)
            : rows(file, text);
    List<T> read = new ArrayList<>();
    List<InvalidFileException> mistakes = new ArrayList<>();
    for (Supplier<Line> row : rows) {
      try {
        read.add(reader.apply(row.get()));
      } catch (InvalidFileException e) {
        mistakes.add(e);
      }
    }
    if (!mistakes.isEmpty()) {
      throw InvalidFileException.all(mistakes);
    }
    return read;
  }

  private static String text(Path file) {
    try {
      String text = Files.readString(file, StandardCharsets.UTF_8);
      return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    } catch (NoSuchFileException e) {
      throw InvalidFileException.of(file, "no such file", e);
    } catch (MalformedInputException e) {
      throw InvalidFileException.of(file, "not UTF-8 text", e);
    } catch (IOException e) {
      throw InvalidFileException.of(file, "cannot be read: " + e.getMessage(), e);
    }
  }

  /** The lines that are not blank; each is parsed when it is asked for. */
  private static List<Supplier<Line>> rows(Path file, String text) {
    List<String> lines = text.lines().toList();
    List<Supplier<Line>> rows = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int number = i + 1;
      if (!line.isBlank()) {
        if (rows.isEmpty()) {
          refuseOtherFormats(file, text.strip(), line.strip());
        }
        rows.add(() -> parse(file, number, line));
      }
    }
    return rows;
  }

  /** A path in a command that is printed to be copied; quoted where a shell would change it. */
  public static String argument(Path path) {
    String text = path.toString();
    return text.matches("[\\w@%+=:,./~-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  private static Line parse(Path file, int number, String text) {
    try {
      return new Line(file, number, Document.parse(text));
    } catch (InvalidDocumentException e) {
      throw InvalidFileException.at(file, number, String.valueOf(e.getMessage()));
    }
  }

  /** Names what the file is if it is clearly something other than one object per line. */
  private static void refuseOtherFormats(Path file, String text, String first) {
    if (first.equals("[") || (first.startsWith("[{") && text.endsWith("]"))) {
      throw InvalidFileException.of(
          file,
          "a JSON array, and JSON Lines are needed: one object per line without brackets and"
              + " commas between them, as `jq -c '.[]' %s` prints".formatted(argument(file)));
    }
    if (first.equals("{")) {
      throw InvalidFileException.of(
          file,
          "an object over several lines, and JSON Lines are needed: one object per line, as"
              + " `jq -c . %s` prints".formatted(argument(file)));
    }
    if (!first.startsWith("{") && first.matches("[^\\[\"{]+[,;\t].*")) {
      throw InvalidFileException.of(
          file,
          "neither JSON Lines nor named .csv; a CSV file with a header is read if its name ends"
              + " with .csv");
    }
  }

  /**
   * Writes one object per line; creates missing parent folders.
   *
   * @throws InvalidFileException if the file cannot be written
   */
  public static void write(Path file, Stream<? extends JsonNode> objects) {
    try (OutputStream out = new BufferedOutputStream(create(file))) {
      for (JsonNode object : objects.<JsonNode>map(object -> object).toList()) {
        out.write(Json.write(object));
        out.write('\n');
      }
    } catch (IOException e) {
      throw InvalidFileException.of(file, "cannot be written: " + e, e);
    }
  }

  private static OutputStream create(Path file) throws IOException {
    Files.createDirectories(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    return Files.newOutputStream(file);
  }

  /**
   * Checks that {@link #write} can write a file, before what it is to contain costs something. Does
   * not change a file that exists.
   *
   * @throws InvalidFileException if it cannot
   */
  public static void requireWritable(Path file) {
    try {
      if (!Files.exists(file)) {
        create(file).close();
        Files.delete(file);
      } else if (Files.isDirectory(file) || !Files.isWritable(file)) {
        throw new AccessDeniedException(file.toString());
      }
    } catch (IOException e) {
      throw InvalidFileException.of(file, "cannot be written: " + e, e);
    }
  }
}

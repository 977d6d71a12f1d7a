package dev.abacus.deploy.file;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import dev.abacus.schemas.document.Document;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Rows of a CSV file (RFC 4180) as documents: the first line names the fields. A column whose
 * values are all numbers has numbers, one whose values are all {@code true} or {@code false} has
 * booleans, any other has texts; a number with a leading zero is a text. An empty value is a
 * missing field.
 */
final class CsvTable {

  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d{0,30})(\\.\\d{1,30})?");
  private static final Pattern BOOLEAN = Pattern.compile("true|false");

  private static final CsvMapper CSV =
      CsvMapper.builder().enable(CsvParser.Feature.WRAP_AS_ARRAY).build();

  private final Path file;
  private final List<String> header;
  private final List<Function<String, JsonNode>> columns = new ArrayList<>();

  private CsvTable(Path file, List<String> header, List<Cells> rows) {
    this.file = file;
    this.header = header;
    for (int column = 0; column < header.size(); column++) {
      columns.add(type(column, rows));
    }
  }

  /** The values of one row. */
  private record Cells(int line, List<String> values) {

    String value(int column) {
      return column < values.size() ? values.get(column) : "";
    }
  }

  /**
   * Reads a table. A row is converted when it is asked for: an {@link InvalidFileException} tells
   * that it has more values than the header has names.
   *
   * @throws InvalidFileException if the text is not CSV, or if the header lacks or repeats a name
   */
  static List<Supplier<JsonLines.Line>> read(Path file, String text) {
    List<Cells> rows = new ArrayList<>();
    try (MappingIterator<String[]> lines = CSV.readerFor(String[].class).readValues(text)) {
      while (lines.hasNextValue()) {
        int line = lines.getCurrentLocation().getLineNr();
        List<String> values = List.of(lines.nextValue());
        if (values.size() > 1 || !values.getFirst().isBlank()) {
          rows.add(new Cells(line, values));
        }
      }
    } catch (JacksonException e) {
      throw InvalidFileException.at(
          file, e.getLocation().getLineNr(), "not valid CSV: is a quote not closed?");
    } catch (IOException e) {
      throw InvalidFileException.of(file, "cannot be read: " + e.getMessage(), e);
    }
    if (rows.isEmpty()) {
      return List.of();
    }
    Cells header = rows.removeFirst();
    checkHeader(file, header);
    CsvTable table = new CsvTable(file, header.values(), rows);
    return rows.stream().<Supplier<JsonLines.Line>>map(cells -> () -> table.line(cells)).toList();
  }

  private static void checkHeader(Path file, Cells header) {
    Set<String> names = new HashSet<>();
    for (String name : header.values()) {
      if (name.isBlank() || !names.add(name)) {
        throw InvalidFileException.at(
            file,
            header.line(),
            name.isBlank()
                ? "the header has a column without a name"
                : "the header names the column '%s' twice".formatted(name));
      }
    }
  }

  private static Function<String, JsonNode> type(int column, List<Cells> rows) {
    List<String> values =
        rows.stream().map(row -> row.value(column)).filter(value -> !value.isEmpty()).toList();
    if (values.stream().allMatch(value -> BOOLEAN.matcher(value).matches())) {
      return value -> BooleanNode.valueOf(Boolean.parseBoolean(value));
    }
    return values.stream().allMatch(value -> NUMBER.matcher(value).matches())
        ? value -> DecimalNode.valueOf(new BigDecimal(value))
        : TextNode::valueOf;
  }

  private JsonLines.Line line(Cells cells) {
    if (cells.values().size() > header.size()) {
      throw InvalidFileException.at(
          file,
          cells.line(),
          "has %d values, and the header has %d names"
              .formatted(cells.values().size(), header.size()));
    }
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (int column = 0; column < header.size(); column++) {
      String value = cells.value(column);
      if (!value.isEmpty()) {
        object.set(header.get(column), columns.get(column).apply(value));
      }
    }
    return new JsonLines.Line(file, cells.line(), Document.of(object));
  }
}

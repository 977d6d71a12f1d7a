package dev.abacus.deploy.cli.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A text table. Columns are as wide as their widest cell; numbers are right-aligned. Control
 * characters, which keys of records may have, are shown as spaces.
 */
public final class Table {

  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... header) {
    rows.add(List.of(header));
  }

  public Table row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(String.valueOf(cell).replaceAll("\\p{Cc}", " "));
    }
    rows.add(row);
    return this;
  }

  public boolean isEmpty() {
    return rows.size() == 1;
  }

  /** The lines of the table, the header first. */
  public List<String> lines() {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    boolean[] numeric = new boolean[columns];
    for (int column = 0; column < columns; column++) {
      int index = column;
      widths[column] = rows.stream().mapToInt(row -> row.get(index).length()).max().orElse(0);
      numeric[column] =
          rows.stream()
              .skip(1)
              .allMatch(row -> row.get(index).matches("[$-]?[0-9.,]*( ?(s|ms|%))?"));
    }
    return rows.stream().map(row -> line(row, widths, numeric)).toList();
  }

  /** A row as text: its first cell, then each further cell behind its heading. */
  String paragraph(int row) {
    List<String> heading = rows.getFirst();
    List<String> cells = rows.get(row);
    StringBuilder text = new StringBuilder(cells.getFirst()).append(':');
    for (int column = 1; column < cells.size(); column++) {
      text.append(column == 1 ? " " : ", ")
          .append(heading.get(column))
          .append(' ')
          .append(cells.get(column));
    }
    return text.toString();
  }

  private static String line(List<String> row, int[] widths, boolean[] numeric) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.size(); column++) {
      String padding = " ".repeat(widths[column] - row.get(column).length());
      line.append(column == 0 ? "" : "  ")
          .append(numeric[column] ? padding : "")
          .append(row.get(column))
          .append(numeric[column] ? "" : padding);
    }
    return line.toString().stripTrailing();
  }
}

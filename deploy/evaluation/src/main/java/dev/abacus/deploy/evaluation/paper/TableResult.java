package dev.abacus.deploy.evaluation.paper;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Result of an experiment on one data set.
 *
 * @param rows rows of the table; cells as text
 * @param remarks sentences below the table
 */
record TableResult(List<List<String>> rows, List<String> remarks) {

  TableResult {
    rows = rows.stream().map(List::copyOf).toList();
    remarks = List.copyOf(remarks);
  }

  static TableResult of(List<List<String>> rows) {
    return new TableResult(rows, List.of());
  }

  /** Appends another result. */
  TableResult and(TableResult others) {
    return new TableResult(joined(rows, others.rows), joined(remarks, others.remarks));
  }

  private static <T> List<T> joined(List<T> some, List<T> others) {
    List<T> all = new ArrayList<>(some);
    all.addAll(others);
    return Collections.unmodifiableList(all);
  }
}

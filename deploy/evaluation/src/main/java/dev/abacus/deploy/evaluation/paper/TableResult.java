package dev.abacus.deploy.evaluation.paper;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What an experiment found on one data set.
 *
 * @param rows of the experiment's table, cells as text
 * @param charts drawn from it
 * @param remarks sentences below the table
 */
record TableResult(List<List<String>> rows, List<Chart> charts, List<String> remarks) {

  TableResult {
    rows = rows.stream().map(List::copyOf).toList();
    charts = List.copyOf(charts);
    remarks = List.copyOf(remarks);
  }

  static TableResult of(List<List<String>> rows) {
    return new TableResult(rows, List.of(), List.of());
  }

  /** Both, one after the other. */
  TableResult and(TableResult others) {
    return new TableResult(
        joined(rows, others.rows), joined(charts, others.charts), joined(remarks, others.remarks));
  }

  private static <T> List<T> joined(List<T> some, List<T> others) {
    List<T> all = new ArrayList<>(some);
    all.addAll(others);
    return Collections.unmodifiableList(all);
  }
}

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
record Findings(List<List<String>> rows, List<Chart> charts, List<String> remarks) {

  Findings {
    rows = rows.stream().map(List::copyOf).toList();
    charts = List.copyOf(charts);
    remarks = List.copyOf(remarks);
  }

  static Findings of(List<List<String>> rows) {
    return new Findings(rows, List.of(), List.of());
  }

  /** Both, one after the other. */
  Findings and(Findings others) {
    return new Findings(
        joined(rows, others.rows), joined(charts, others.charts), joined(remarks, others.remarks));
  }

  private static <T> List<T> joined(List<T> some, List<T> others) {
    List<T> all = new ArrayList<>(some);
    all.addAll(others);
    return Collections.unmodifiableList(all);
  }
}

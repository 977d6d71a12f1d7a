package dev.abacus.deploy.cli.report;

import dev.abacus.deploy.cli.option.Terminal;
import dev.abacus.deploy.cli.option.Terminal.Colour;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.StatusReports;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The instances that run a program, as a table, or as a paragraph each in a narrow terminal. */
public final class InstanceLines {

  private static final String INDENT = "  ";

  private InstanceLines() {}

  /**
   * The lines of instances.
   *
   * @param hidden instances that are counted only
   */
  public static List<String> of(
      Collection<InstanceStatus> shown,
      Collection<InstanceStatus> hidden,
      Instant now,
      Terminal terminal) {
    Table table =
        new Table(
            "instance",
            "state",
            "epoch",
            "pending",
            "in flight",
            "results",
            "filtered",
            "dead letters",
            "sample tasks",
            "USD",
            "seen");
    List<String> states = new ArrayList<>(List.of("state"));
    for (InstanceStatus instance : shown) {
      states.add(state(instance, now));
      table.row(
          instance.instance(),
          states.getLast(),
          Objects.requireNonNullElse(instance.epoch(), "-"),
          instance.pending(),
          instance.inFlight(),
          instance.results(),
          filtered(instance),
          instance.deadLetters(),
          instance.samples(),
          Amounts.usd(instance.costUsd() + instance.sampleCostUsd()),
          ago(instance.at(), now));
    }
    List<String> lines = new ArrayList<>();
    if (table.isEmpty()) {
      lines.add(INDENT + "no worker reports; start one with `abacus worker`");
    } else {
      List<String> rows = table.lines();
      boolean fits =
          rows.stream().allMatch(row -> INDENT.length() + row.length() <= terminal.width());
      for (int i = 0; fits && i < rows.size(); i++) {
        lines.add(INDENT + coloured(rows.get(i), states.get(i), terminal));
      }
      for (int i = 1; !fits && i < rows.size(); i++) {
        List<String> paragraph = terminal.wrap(INDENT + table.paragraph(i));
        lines.add(coloured(paragraph.getFirst(), states.get(i), terminal));
        lines.addAll(paragraph.subList(1, paragraph.size()));
      }
      for (InstanceStatus instance : shown) {
        reasons(instance, now)
            .forEach(why -> lines.addAll(terminal.wrap(INDENT + instance.instance() + ": " + why)));
      }
    }
    if (!hidden.isEmpty()) {
      Instant last =
          hidden.stream().map(InstanceStatus::at).max(Instant::compareTo).orElse(Instant.EPOCH);
      lines.add(
          INDENT
              + "%d silent %s, last seen %s; --all shows them"
                  .formatted(
                      hidden.size(),
                      hidden.size() == 1 ? "instance" : "instances",
                      ago(last, now)));
    }
    return lines;
  }

  /**
   * Programs that workers still run, and cannot well, though the control topic has none of them: it
   * may have lost its records, and then nothing else would be shown.
   *
   * @param applied the programs that are shown anyway
   */
  public static List<String> unapplied(
      Collection<InstanceStatus> reports, Collection<String> applied, Instant now) {
    return reports.stream()
        .filter(report -> !applied.contains(report.program()))
        .filter(report -> report.state().startsWith("DEGRADED"))
        .filter(report -> !StatusReports.isSilent(report.at(), now))
        .map(report ->
            "%s is not applied, but %s reported it %s: %s"
                .formatted(
                    report.program(), report.instance(), ago(report.at(), now), report.state()))
        .toList();
  }

  private static String coloured(String line, String state, Terminal terminal) {
    Colour colour =
        switch (state.split(" ", 2)[0]) {
          case "RUNNING", "SLEEPING" -> Colour.GREEN;
          case "SILENT", "DEGRADED", "ERROR" -> Colour.RED;
          default -> Colour.YELLOW;
        };
    int at = line.indexOf(" " + state);
    return state.equals("state") || at < 0
        ? line
        : line.substring(0, at + 1)
            + terminal.in(colour, state)
            + line.substring(at + 1 + state.length());
  }

  private static String state(InstanceStatus instance, Instant now) {
    String state = parts(instance)[0];
    return StatusReports.isSilent(instance.at(), now) ? "SILENT (was " + state + ")" : state;
  }

  /** Why an instance is in its state, which would widen the table, and threads that do not work. */
  private static Set<String> reasons(InstanceStatus instance, Instant now) {
    Set<String> reasons = new LinkedHashSet<>();
    if (!StatusReports.isSilent(instance.at(), now)) {
      instance.threads().stream()
          .filter(thread -> !thread.works())
          .forEach(thread -> reasons.add(thread.describe()));
    }
    String why = parts(instance)[1];
    if (!why.isEmpty()) {
      reasons.add(why);
    }
    return reasons;
  }

  private static String[] parts(InstanceStatus instance) {
    String[] parts = instance.state().split(": ", 2);
    return parts.length == 2 ? parts : new String[] {parts[0], ""};
  }

  private static String filtered(InstanceStatus instance) {
    Long groups = instance.filteredGroups();
    return groups == null
        ? String.valueOf(instance.filtered())
        : "%d and %d groups".formatted(instance.filtered(), groups);
  }

  /**
   * The age of a report, in the largest unit that leaves at least two. Within a minute, a time
   * ahead of the clock is now; one further ahead is said to be.
   */
  public static String ago(Instant at, Instant now) {
    if (at.isAfter(now) && StatusReports.isSilent(at, now)) {
      return amount(Duration.between(now, at)) + " ahead of this clock";
    }
    Duration age = Duration.between(at, now);
    return amount(age.isNegative() ? Duration.ZERO : age) + " ago";
  }

  private static String amount(Duration age) {
    if (age.toMinutes() < 2) {
      return age.toSeconds() + " s";
    }
    if (age.toHours() < 2) {
      return age.toMinutes() + " min";
    }
    return age.toDays() < 2 ? age.toHours() + " h" : age.toDays() + " days";
  }
}

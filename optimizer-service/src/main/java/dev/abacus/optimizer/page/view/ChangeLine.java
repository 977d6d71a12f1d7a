package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.records.Cluster.Change;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.RoundReason;
import java.time.Instant;
import java.util.List;

/**
 * Who changed what, as far as the control topic still has it.
 *
 * @param by who made the change
 */
public record ChangeLine(String when, String by, String what) {

  /** The changes, the latest first. */
  public static List<ChangeLine> of(ProgramRecords records, Instant now) {
    return records.changes().stream()
        .map(change ->
            new ChangeLine(
                Figures.time(change.at()) + ", " + Figures.ago(change.at(), now),
                by(change),
                change.record().describe()))
        .toList();
  }

  private static String by(Change change) {
    String stated =
        switch (change.record()) {
          case ControlRecord.Activated activated -> activated.by();
          case ControlRecord.Paused paused -> paused.by();
          case ControlRecord.PlanPublished _ -> ControlRecord.OPTIMIZER;
          case ControlRecord.ProgramSet _,
              ControlRecord.ObjectiveSet _,
              ControlRecord.BudgetSet _,
              ControlRecord.Pinned _ ->
              ControlRecord.USER;
          case ControlRecord.Reoptimize round ->
              RoundReason.of(round.token()).isEmpty() ? ControlRecord.USER : ControlRecord.GOVERNOR;
        };
    return change.by().isEmpty() ? stated : change.by();
  }
}

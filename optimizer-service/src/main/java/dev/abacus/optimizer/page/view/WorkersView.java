package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.records.Cluster.DeadLetterGroup;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.records.ClusterAccess;
import dev.abacus.schemas.control.InstanceStatus;
import java.time.Instant;
import java.util.List;

/**
 * The workers of a program, and its dead letters by reason.
 *
 * @param partitions of the sources; empty if unknown
 */
public record WorkersView(
    ProgramHead head,
    List<InstanceStatus> workers,
    List<ClusterAccess.Partition> partitions,
    List<DeadLetterGroup> letters,
    Instant now) {

  /** Computes the page. */
  public static WorkersView of(
      ProgramRecords records, List<ClusterAccess.Partition> partitions, Instant now) {
    return new WorkersView(
        ProgramHead.of(records, now), records.instances(), partitions, records.deadLetters(), now);
  }
}

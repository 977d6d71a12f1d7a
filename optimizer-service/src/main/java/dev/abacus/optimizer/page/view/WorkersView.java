package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.records.Inquiries;
import dev.abacus.schemas.control.InstanceStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** The workers of a program, and its dead letters by reason. */
public record WorkersView(
    ProgramHead head, List<Worker> workers, List<Partition> partitions, List<Letters> letters) {

  /** A partition of a source with the offsets of its consumption. */
  public record Partition(String name, String next, String end, String waiting) {}

  /** A live instance. */
  public record Worker(
      String name,
      String state,
      String epoch,
      String pending,
      String inFlight,
      String results,
      String filtered,
      String deadLetters,
      String spent,
      String seen) {}

  /**
   * Dead letters with one reason.
   *
   * @param key of the last letter, as an example
   * @param letter id of the last letter
   */
  public record Letters(
      String count, String operator, String reason, String key, String letter, String last) {}

  /**
   * Computes the page.
   *
   * @param partitions of the sources; empty if unknown
   */
  public static WorkersView of(
      ProgramRecords records, List<Inquiries.Partition> partitions, Instant now) {
    return new WorkersView(
        ProgramHead.of(records, now),
        records.instances().stream().map(instance -> worker(instance, now)).toList(),
        partitions.stream()
            .map(one ->
                new Partition(
                    one.name(),
                    Figures.count(one.next()),
                    Figures.count(one.end()),
                    Figures.count(one.end() - one.next())))
            .toList(),
        records.deadLetters().stream()
            .map(group ->
                new Letters(
                    Figures.count(group.count()),
                    group.operator().isEmpty() ? Figures.UNKNOWN : group.operator(),
                    group.reason().isEmpty() ? "no reason given" : group.reason(),
                    group.last().key(),
                    group.last().id(),
                    Figures.ago(group.last().at(), now)))
            .toList());
  }

  private static Worker worker(InstanceStatus instance, Instant now) {
    return new Worker(
        instance.instance(),
        instance.state(),
        Objects.toString(instance.epoch(), Figures.UNKNOWN),
        Figures.count(instance.pending()),
        Figures.count(instance.inFlight()),
        Figures.count(instance.results()),
        Figures.count(instance.dropped()),
        Figures.count(instance.deadLetters()),
        Figures.usd(instance.costUsd() + instance.sampleCostUsd()),
        Figures.ago(instance.at(), now));
  }
}

package dev.abacus.optimizer.page.records;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.replay.DeadLetterReplay;
import dev.abacus.schemas.replay.DeadLetterReplay.Letters;
import java.util.List;
import java.util.Map;

/**
 * What the page needs of a cluster: its present state, which is followed all the time, what is
 * asked of Kafka only when a visitor wants it, and where changes go. Methods throw an
 * IllegalStateException if Kafka does not allow it.
 */
public interface ClusterAccess {

  /** The present state. */
  Cluster snapshot();

  /** Topics that cannot be read at present, so that the state may be old, each with the reason. */
  List<String> troubles();

  /**
   * Writes a control record.
   *
   * @param by who asked for it
   */
  void write(ControlRecord record, String by);

  /** The dead letters of a program that were not replayed before. */
  Letters pending(Program program);

  /** Sends them again, exactly once. */
  Letters replay(Program program);

  /** Sends one again, and marks it as replayed. */
  Letters replay(Program program, int partition, long offset);

  /** Which were replayed, by partition. */
  Map<Integer, DeadLetterReplay.Replayed> replayed(Program program);

  /**
   * Sends a label that was asked for to the feedback topic.
   *
   * @param position of the document
   * @param labels by operator
   * @param by who gives it
   */
  void answer(Program program, String position, JsonNode labels, String by);

  /** How far the sources were consumed a few seconds ago; empty if Kafka does not say. */
  List<Partition> partitions(ProgramRecords records);

  /**
   * A partition of a source.
   *
   * @param next offset that is consumed next
   * @param end offset behind the last record
   */
  record Partition(String name, long next, long end) {}
}

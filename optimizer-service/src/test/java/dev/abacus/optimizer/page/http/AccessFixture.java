package dev.abacus.optimizer.page.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.page.records.Cluster;
import dev.abacus.optimizer.page.records.ClusterAccess;
import dev.abacus.optimizer.page.records.ClusterFixture;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.replay.DeadLetterReplay;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A cluster with three dead letters that can be replayed once, and one that cannot. Keeps what is
 * written and the labels that are given.
 */
final class AccessFixture implements ClusterAccess {

  private final ClusterFixture cluster;
  private final List<ControlRecord> written = new CopyOnWriteArrayList<>();
  private final List<String> replayed = new CopyOnWriteArrayList<>();
  private final List<String> answers = new CopyOnWriteArrayList<>();
  private volatile String refusal = "";
  private volatile List<String> troubles = List.of();

  AccessFixture(ClusterFixture cluster) {
    this.cluster = cluster;
  }

  @Override
  public Cluster snapshot() {
    return cluster.fold().snapshot();
  }

  @Override
  public List<String> troubles() {
    return troubles;
  }

  void cannotRead(String what) {
    troubles = List.of(what);
  }

  @Override
  public void write(ControlRecord record, String by) {
    written.add(record);
    cluster.write(record);
  }

  /** The control records that were written. */
  List<ControlRecord> written() {
    return written;
  }

  void refuse(String reason) {
    refusal = reason;
  }

  /** The labels that were given, with the positions of their documents. */
  List<String> answers() {
    return answers;
  }

  /** The programs whose letters were replayed. */
  List<String> replayed() {
    return replayed;
  }

  @Override
  public DeadLetterReplay.Letters pending(Program program) {
    if (!refusal.isEmpty()) {
      throw new IllegalStateException(refusal);
    }
    return replayed.isEmpty()
        ? new DeadLetterReplay.Letters(3, 1)
        : new DeadLetterReplay.Letters(0, 0);
  }

  @Override
  public DeadLetterReplay.Letters replay(Program program) {
    DeadLetterReplay.Letters pending = pending(program);
    replayed.add(program.name());
    return pending;
  }

  @Override
  public DeadLetterReplay.Letters replay(Program program, int partition, long offset) {
    replayed.add(program.name() + " " + partition + "-" + offset);
    return new DeadLetterReplay.Letters(1, 0);
  }

  @Override
  public Map<Integer, DeadLetterReplay.Replayed> replayed(Program program) {
    return Map.of(
        0,
        new DeadLetterReplay.Replayed(
            0, new TreeSet<>(replayed.isEmpty() ? Set.of() : Set.of(1L))));
  }

  @Override
  public void answer(Program program, String position, JsonNode labels, String by) {
    if (!refusal.isEmpty()) {
      throw new IllegalStateException(refusal);
    }
    answers.add(position + " " + labels + " by " + by);
  }

  @Override
  public List<Partition> partitions(Cluster.ProgramRecords records) {
    return List.of(new Partition("support.messages-0", 360, 400));
  }
}

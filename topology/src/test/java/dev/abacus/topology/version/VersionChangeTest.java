package dev.abacus.topology.version;

import static dev.abacus.topology.version.VersionCluster.PARSER;
import static dev.abacus.topology.version.VersionCluster.PROGRAMS;
import static dev.abacus.topology.version.VersionCluster.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.program.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Changes of shape in a model of a cluster: workers read the control topic and the versions topic
 * late, die at any step, and other workers continue.
 */
class VersionChangeTest {

  private static final int WORKERS = 3;

  static List<Long> seeds() {
    return IntStream.range(0, 40).mapToObj(Long::valueOf).toList();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void eachDocumentIsFinishedOnceWheneverWorkersDie(long seed) throws Exception {
    VersionCluster cluster = new VersionCluster(seed);
    cluster.apply(0, 1);
    List<VersionCluster.Worker> workers = new ArrayList<>();
    IntStream.range(0, WORKERS).forEach(_ -> workers.add(new VersionCluster.Worker(cluster, true)));
    int applied = 0;
    for (int step = 0; step < 600; step++) {
      if (step % 60 == 30) {
        applied = cluster.random.nextInt(PROGRAMS.size());
        cluster.apply(applied, step);
      }
      cluster.documents += cluster.random.nextInt(2);
      run(cluster, workers, true);
    }
    for (int step = 0; step < 1_500; step++) {
      run(cluster, workers, false);
    }
    ProgramVersions last = cluster.states.getLast();
    assertThat(last.current().program()).isEqualTo(PROGRAMS.get(applied));
    assertThat(last.stopping()).isFalse();
    assertThat(last.ending()).isEmpty();
    for (TopicPartition partition : VersionCluster.Worker.partitions()) {
      assertThat(cluster.results.getOrDefault(partition, List.of()))
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, (int) cluster.documents).mapToObj(Long::valueOf).toList());
    }
  }

  private static void run(
      VersionCluster cluster, List<VersionCluster.Worker> workers, boolean mayDie)
      throws InterruptedException {
    int which = cluster.random.nextInt(workers.size());
    VersionCluster.Worker worker = workers.get(which);
    try {
      if (!mayDie && worker.mayDie) {
        throw new VersionCluster.Killed();
      }
      worker.reconcile();
      worker.work();
    } catch (VersionCluster.Killed e) {
      worker.die();
      workers.set(which, new VersionCluster.Worker(cluster, mayDie));
    }
  }

  @Test
  void aChangeOfWordingKeepsTheVersionAndAnotherOperatorDoesNot() {
    assertThat(ProgramShape.same(PROGRAMS.get(0), PROGRAMS.get(3))).isTrue();
    assertThat(ProgramShape.same(PROGRAMS.get(0), PROGRAMS.get(1))).isFalse();
    assertThat(ProgramShape.same(PROGRAMS.get(1), PROGRAMS.get(2))).isFalse();
  }

  @Test
  void theStoredFormOfAProgramHasItsShape() throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of("../deploy/examples"))) {
      files = all.filter(file -> file.getFileName().toString().endsWith("program.yaml")).toList();
    }
    assertThat(files).hasSizeGreaterThan(3);
    for (Path file : files) {
      Program program = PARSER.parse(Files.readString(file));
      Program stored = stored(ProgramVersions.first(program)).current().program();
      assertThat(ProgramShape.same(stored, program)).as("%s", file).isTrue();
      assertThat(stored).as("%s", file).isEqualTo(program);
    }
  }

  @Test
  void theOldVersionRunsUntilTheNewOneHasAPlan() throws Exception {
    VersionCluster cluster = new VersionCluster(1);
    cluster.apply(0, 1);
    VersionCluster.Worker worker = new VersionCluster.Worker(cluster, false);
    for (int i = 0; i < 50; i++) {
      worker.reconcile();
    }
    cluster.control.add(new ControlRecord.ProgramSet(PROGRAMS.get(1)));
    for (int i = 0; i < 50; i++) {
      worker.reconcile();
    }
    assertThat(worker.running).containsOnlyKeys(1);

    cluster.apply(1, 2);
    for (int i = 0; i < 50; i++) {
      worker.reconcile();
    }
    assertThat(worker.running).containsKey(2);
  }
}

package dev.abacus.deploy.evaluation.chaos;

import static dev.abacus.schemas.kafka.KafkaFutures.get;

import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.deploy.evaluation.chaos.judge.Judge.Cap;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.program.Spending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Prepares the cluster of a run, and looks at it. */
final class ClusterSetup {

  private static final Duration START = Duration.ofMinutes(3);

  private ClusterSetup() {}

  /**
   * Creates the topics, and publishes the programs with their plans and spending caps.
   *
   * @throws IllegalStateException if the brokers do not start
   */
  static void create(
      KafkaConnection connection, List<ChaosPrograms> programs, Map<String, Cap> caps) {
    long deadline = System.nanoTime() + START.toNanos();
    TopicCreation creation = new TopicCreation(ChaosOptions.PARTITIONS, 0);
    while (true) {
      try {
        creation.createShared(connection);
        List<ControlRecord> records = new ArrayList<>();
        for (ChaosPrograms program : programs) {
          creation.create(connection, program.version(1));
          records.addAll(program.start());
        }
        caps.forEach((program, cap) ->
            records.add(
                new ControlRecord.BudgetSet(
                    program,
                    null,
                    new Spending(cap.usd(), null, Duration.ofMillis(cap.windowMillis())))));
        control(connection).write(records);
        return;
      } catch (OperationFailedException e) {
        // The brokers are starting.
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("the brokers do not start", e);
        }
      }
    }
  }

  static ControlTopic control(KafkaConnection connection) {
    return new ControlTopic(connection, ModelCatalogue.builtIn());
  }

  /** Whether each partition has all of its replicas; false if the cluster does not answer. */
  static boolean allReplicasAreInSync(KafkaConnection connection, int brokers) {
    try {
      return connection.administer(
          "the replicas are not known",
          admin ->
              get(admin.describeTopics(get(admin.listTopics().names())).allTopicNames())
                  .values()
                  .stream()
                  .flatMap(topic -> topic.partitions().stream())
                  .allMatch(partition -> partition.isr().size() == brokers));
    } catch (OperationFailedException e) {
      return false;
    }
  }
}

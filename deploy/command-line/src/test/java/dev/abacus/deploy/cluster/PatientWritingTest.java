package dev.abacus.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;

class PatientWritingTest {

  private static final List<Node> BROKERS =
      List.of(new Node(1, "a", 1), new Node(2, "b", 1), new Node(3, "c", 1));

  private static TopicPartitionInfo partition(int number, Node leader, int inSync) {
    return new TopicPartitionInfo(number, leader, BROKERS, BROKERS.subList(0, inSync));
  }

  @Test
  void tellsWhatARecordLacks() {
    TopicDescription control =
        new TopicDescription(
            "control",
            false,
            List.of(
                partition(0, BROKERS.getFirst(), 2),
                partition(1, BROKERS.getFirst(), 1),
                partition(2, Node.noNode(), 1)));

    assertThat(PatientWriting.lacking(List.of(control), Map.of("control", 2)))
        .containsExactly(
            "control-1 has 1 of 3 replicas in sync, min.insync.replicas is 2",
            "control-2 has no leader");
    assertThat(PatientWriting.lacking(List.of(control), Collections.emptyMap()))
        .as("without the right to see the configuration")
        .contains("control-0 has 2 of 3 replicas in sync");
  }
}

package dev.abacus.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TopicSetupTest {

  private static final KafkaNames NAMES = KafkaNames.of(Map.of("abacus.prefix", "team."));

  @Test
  void whatARemovedProgramLeftIsNotOfTheOneWhoseNameItsOwnBeginsWith() {
    Set<String> topics =
        Set.of(
            "team.abacus-a-pending-0-changelog",
            "team.abacus-a-samples-pending-changelog",
            "team.abacus-a-b-pending-0-changelog",
            "team.abacus-a-b-total-repartition",
            "team.a.receipts",
            "team.a.dlq",
            "team.a-b.receipts",
            "team.a-b.dlq",
            "team.a-pending.receipts"); // a user's own

    assertThat(TopicSetup.internalTopics(topics, NAMES, List.of(NAMES.application("a"))))
        .containsExactlyInAnyOrder(
            "team.abacus-a-pending-0-changelog", "team.abacus-a-samples-pending-changelog");
    assertThat(TopicSetup.internalTopics(topics, NAMES, List.of(NAMES.application("a-b"))))
        .containsExactlyInAnyOrder(
            "team.abacus-a-b-pending-0-changelog", "team.abacus-a-b-total-repartition");
  }
}

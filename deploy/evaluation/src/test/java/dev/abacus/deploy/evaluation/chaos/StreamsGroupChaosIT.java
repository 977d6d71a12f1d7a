package dev.abacus.deploy.evaluation.chaos;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link ChaosIT}, with workers in groups of KIP-1071. */
@Tag("measured")
@Order(3)
class StreamsGroupChaosIT {

  @Test
  void guaranteesHoldWhileProcessesAreKilledAndPlansChange() throws Exception {
    ChaosIT.guaranteesHold(
        "streams",
        ChaosPrograms.CHAIN,
        ChaosPrograms.WINDOW,
        ChaosPrograms.LIMIT,
        ChaosPrograms.JOIN,
        ChaosPrograms.CAPPED);
  }
}

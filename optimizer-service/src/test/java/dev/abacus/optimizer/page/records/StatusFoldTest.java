package dev.abacus.optimizer.page.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class StatusFoldTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void aReportUnderAnotherKeyHidesNoProgram() {
    StatusFold fold = new StatusFold();
    fold.accept(
        new ConsumerRecord<>(
            "abacus.status",
            0,
            0,
            "p/w".getBytes(StandardCharsets.UTF_8),
            Json.write(InstanceStatus.builder("other", "w", NOON, "RUNNING").build())));

    assertThat(fold.rates("p", NOON).documents()).isNull();
  }
}

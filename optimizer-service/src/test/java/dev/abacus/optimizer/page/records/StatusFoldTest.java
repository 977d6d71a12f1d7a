package dev.abacus.optimizer.page.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.OperatorCounts;
import dev.abacus.schemas.kafka.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
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

  private static void report(StatusFold fold, String worker, int second, long inputs) {
    fold.accept(
        new ConsumerRecord<>(
            "abacus.status",
            0,
            0,
            ("p/" + worker).getBytes(StandardCharsets.UTF_8),
            Json.write(
                InstanceStatus.builder("p", worker, NOON.plusSeconds(second), "RUNNING")
                    .results(inputs)
                    .operators(
                        List.of(new OperatorCounts("o", inputs, inputs, 0, 0, 0, 0, null, null)))
                    .build())));
  }

  @Test
  void aWorkerThatHasJustJoinedCountsByTheTimeInWhichItWorked() {
    StatusFold fold = new StatusFold();
    report(fold, "old", 0, 0);
    report(fold, "old", 60, 600);
    report(fold, "new", 56, 0);
    report(fold, "new", 60, 40);

    Cluster.Rates rates = fold.rates("p", NOON.plusSeconds(60));
    assertThat(rates.documents()).isEqualTo(20);
    assertThat(Objects.requireNonNull(rates.operators().get("o")).inputs())
        .as("per minute")
        .isEqualTo(1200);
  }

  @Test
  void finishedDocumentsAreAllThatGotAnOutcome() {
    StatusFold fold = new StatusFold();
    InstanceStatus first = InstanceStatus.builder("p", "w", NOON, "RUNNING").build();
    InstanceStatus last =
        InstanceStatus.builder("p", "w", NOON.plusSeconds(10), "RUNNING")
            .results(10)
            .filtered(20)
            .filteredGroups(30L)
            .deadLetters(40)
            .build();
    for (InstanceStatus status : List.of(first, last)) {
      fold.accept(
          new ConsumerRecord<>(
              "abacus.status", 0, 0, "p/w".getBytes(StandardCharsets.UTF_8), Json.write(status)));
    }

    assertThat(fold.rates("p", NOON.plusSeconds(10)).documents()).isEqualTo(10);
  }
}

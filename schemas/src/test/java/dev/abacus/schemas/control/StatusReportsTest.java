package dev.abacus.schemas.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.kafka.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class StatusReportsTest {

  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
  private static final Instant SLOW_CLOCK = NOW.minus(Duration.ofMinutes(10));

  private final StatusReports reports = new StatusReports();

  @Test
  void tellsTheAgeOfAReportByTheClockOfTheBroker() {
    accept("triage/slow", worker("slow"), TimestampType.LOG_APPEND_TIME);

    InstanceStatus report = reports.instances("triage").getFirst();
    assertThat(report.at()).isEqualTo(NOW);
    assertThat(StatusReports.isSilent(report.at(), NOW.plusSeconds(60))).isFalse();
    assertThat(StatusReports.isSilent(report.at(), NOW.plusSeconds(61))).isTrue();
  }

  @Test
  void tellsTheAgeOfTheReportOfAnOptimizerByTheClockOfTheBroker() {
    accept(
        "triage/optimizer",
        Json.write(Map.of("at", SLOW_CLOCK.toString(), "state", "SAMPLING")),
        TimestampType.LOG_APPEND_TIME);

    JsonNode report = Objects.requireNonNull(reports.optimizer("triage"));
    assertThat(report.path("at").asText()).isEqualTo(NOW.toString());
    assertThat(report.path("state").asText()).isEqualTo("SAMPLING");
  }

  @Test
  void takesTheTimeOfTheWorkerFromATopicThatHasNoOther() {
    accept("triage/slow", worker("slow"), TimestampType.CREATE_TIME);

    assertThat(reports.instances("triage").getFirst().at()).isEqualTo(SLOW_CLOCK);
  }

  @Test
  void aReportFromTheFutureSaysNothingAboutThePresent() {
    assertThat(StatusReports.isSilent(NOW.plusSeconds(60), NOW)).isFalse();
    assertThat(StatusReports.isSilent(NOW.plus(Duration.ofHours(3)), NOW)).isTrue();
  }

  private static byte[] worker(String instance) {
    return Json.write(InstanceStatus.builder("triage", instance, SLOW_CLOCK, "RUNNING").build());
  }

  private void accept(String key, byte[] value, TimestampType type) {
    reports.accept(
        new ConsumerRecord<>(
            "abacus.status",
            0,
            0,
            NOW.toEpochMilli(),
            type,
            key.length(),
            value.length,
            key.getBytes(UTF_8),
            value,
            new RecordHeaders(),
            Optional.empty()));
  }
}

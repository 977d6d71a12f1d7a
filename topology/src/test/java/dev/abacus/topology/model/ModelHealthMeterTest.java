package dev.abacus.topology.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.topology.model.ModelHealthMeter.Health;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ModelHealthMeterTest {

  private static final ModelFailure FAULT = new ModelFailure.ServerError(503, "busy", null);
  private static final ModelAnswer SUCCESS =
      new ModelAnswer.Success("a", new ExecutionStats(0, 0, 1), List.of());

  private Instant now = Instant.EPOCH;
  private final ModelHealthMeter meter = new ModelHealthMeter(() -> now);

  private void succeed(int times) {
    answer(SUCCESS, times);
  }

  private void fail(ModelFailure failure, int times) {
    answer(new ModelAnswer.Failed(failure, new ExecutionStats(0, 0, 1)), times);
  }

  private void answer(ModelAnswer answer, int times) {
    for (int i = 0; i < times; i++) {
      meter.ended("m", answer);
    }
  }

  private Health health() {
    return Objects.requireNonNull(meter.health().get("m"));
  }

  @Test
  void aModelIsOpenWhenHalfOfItsAttemptsAreProviderFaults() {
    succeed(3);
    fail(FAULT, 2);
    assertThat(health()).isEqualTo(new Health(5, 2, false));
    fail(FAULT, 1);
    assertThat(health()).isEqualTo(new Health(6, 3, true));
  }

  @Test
  void fewerThanFiveAttemptsDoNotOpenAModel() {
    fail(FAULT, 4);
    assertThat(health().open()).isFalse();
    fail(FAULT, 1);
    assertThat(health().open()).isTrue();
  }

  @Test
  void failuresThatTheRequestCausesDoNotCount() {
    fail(new ModelFailure.Refused(400, "no"), 10);
    assertThat(meter.health()).isEmpty();
  }

  @Test
  void successesCloseAModel() {
    fail(FAULT, 20);
    succeed(10);
    assertThat(health().open()).isTrue();
    succeed(1);
    assertThat(health()).isEqualTo(new Health(31, 20, false));
  }

  @Test
  void aModelWithoutAttemptsForAMinuteIsClosed() {
    fail(FAULT, 10);
    now = now.plus(Duration.ofSeconds(60));
    assertThat(health().open()).isTrue();
    now = now.plusMillis(1);
    assertThat(health()).isEqualTo(new Health(10, 10, false));
  }

  @Test
  void embeddersCountByTheirName() {
    for (int i = 0; i < 5; i++) {
      meter.ended("e", new EmbeddingAnswer.Failed(FAULT, new ExecutionStats(0, 0, 1)));
    }
    assertThat(meter.health()).containsOnlyKeys("e").containsEntry("e", new Health(5, 5, true));
  }
}

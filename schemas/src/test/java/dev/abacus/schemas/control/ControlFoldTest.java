package dev.abacus.schemas.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.value.RecordValues;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ControlFoldTest {

  private static final String KEY = "pin/p/unknown";
  private static final Rejection REFUSED =
      new Rejection(KEY, "no semantic operator 'unknown'", 7, "optimizer");

  private final ControlFold fold =
      new ControlFold(new ControlCodec(ModelCatalogue.builtIn(), RecordValues.WITHOUT_REGISTRY));

  private void pin(long offset, String model) {
    String value = "{\"technique\": \"model-selection\", \"model\": \"%s\"}".formatted(model);
    fold.accept(
        new ConsumerRecord<>("control", 0, offset, KEY.getBytes(UTF_8), value.getBytes(UTF_8)));
  }

  @Test
  void aRefusedValueWithoutAnEarlierOneIsNotInForce() {
    pin(7, "gpt-4o");

    assertThat(fold.isCurrent(REFUSED)).isTrue();
    fold.refuse(REFUSED);
    assertThat(fold.records()).isEmpty();
  }

  private void put(ControlRecord record) {
    put(record.key(), ControlCodec.encode(record));
  }

  private void put(ControlKey key, byte @Nullable [] value) {
    fold.accept(new ConsumerRecord<>("control", 0, 1, key.path().getBytes(UTF_8), value));
  }

  private void publish(long epoch) {
    PlanChoice choice = new PlanChoice(List.of(), new Estimate(1, 0, 0));
    put(
        new ControlRecord.PlanPublished(
            new PhysicalPlan("p", epoch, choice, Objective.MAXIMIZE_QUALITY, List.of())));
  }

  private void activate(long epoch) {
    put(new ControlRecord.Activated("p", epoch, 1, "test", "user", null));
  }

  @Test
  void theEpochsOfAPurgedProgramAreNotThoseOfTheNextOneWithItsName() {
    for (long epoch = 1; epoch <= 4; epoch++) {
      publish(epoch);
      activate(epoch);
    }
    assertThat(fold.snapshot().epochBefore("p")).isEqualTo(3);

    List.copyOf(fold.records().keySet()).forEach(key -> put(key, null));
    for (long epoch = 1; epoch <= 4; epoch++) {
      publish(epoch);
    }
    activate(2);
    assertThat(fold.snapshot().epochBefore("p")).isEqualTo(1);
  }

  @Test
  void aValueAfterTheRefusedOneStaysInForce() {
    pin(7, "gpt-4o");
    pin(8, "gpt-4o-mini");

    assertThat(fold.isCurrent(REFUSED)).isFalse();
    fold.refuse(REFUSED);
    assertThat(fold.records()).containsOnlyKeys(new ControlKey.PinKey("p", "unknown"));
  }
}

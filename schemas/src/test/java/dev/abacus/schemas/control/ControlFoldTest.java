package dev.abacus.schemas.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.value.RecordValues;
import org.apache.kafka.clients.consumer.ConsumerRecord;
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

  @Test
  void aValueAfterTheRefusedOneStaysInForce() {
    pin(7, "gpt-4o");
    pin(8, "gpt-4o-mini");

    assertThat(fold.isCurrent(REFUSED)).isFalse();
    fold.refuse(REFUSED);
    assertThat(fold.records()).containsOnlyKeys(new ControlKey.PinKey("p", "unknown"));
  }
}

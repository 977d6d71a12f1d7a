package dev.abacus.topology.model;

import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TieredModelClientTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ModelCatalogue CATALOGUE =
      ModelCatalogue.of(
          List.of(
              ModelCard.chat("m")
                  .contextTokens(1000)
                  .inputUsdPerMillion(2)
                  .tiers(Map.of("flex", new ModelCard.Tier(1, null, 0, null, 10.0)))
                  .build()));
  private static final ModelFailure FULL = new ModelFailure.TierUnavailable("no capacity");

  private final List<String> asked = new ArrayList<>();
  private Instant now = Instant.EPOCH;
  private boolean full;

  private final ModelClient client =
      new TieredModelClient(
          this::answer,
          CATALOGUE,
          () -> now,
          new Retries(RetryPolicy.DEFAULT, this::sleep, new Random(3)));

  private ModelAnswer answer(ModelRequest request) {
    asked.add(request.model());
    return full && request.model().equals("m@flex")
        ? new ModelAnswer.Failed(FULL, new ExecutionStats(0, 0.25, 1))
        : say("yes").answer(request);
  }

  private void sleep(Duration pause) {
    now = now.plus(pause);
  }

  private ModelAnswer.Success call(String model) throws InterruptedException {
    asked.clear();
    return (ModelAnswer.Success)
        client.call(ModelRequest.of(model, "s", List.of(new Content.Text("u")), null));
  }

  @Test
  void aTierWithCapacityAnswers() throws InterruptedException {
    assertThat(call("m@flex").attempts()).isEqualTo(1);
    assertThat(asked).containsExactly("m@flex");
    assertThat(call("m").attempts()).isEqualTo(1);
    assertThat(asked).containsExactly("m");
  }

  @Test
  void aCallWaitsAtMostItsPatienceAndIsThenMadeAtTheStandardTier() throws InterruptedException {
    full = true;
    ModelAnswer.Success answer = call("m@flex");

    assertThat(asked).endsWith("m@flex", "m").hasSizeBetween(4, 20);
    double waited = Duration.between(Instant.EPOCH, now).toNanos() / 1e9;
    assertThat(waited).isBetween(0.0, 10.0);
    assertThat(answer.attempts()).isEqualTo(asked.size());
    assertThat(answer.latency()).isCloseTo(waited + 0.25 * (asked.size() - 1) + 0.5, within(1e-6));
  }

  @Test
  void aTierThatIsAwayIsAskedOnceInEachPatience() throws InterruptedException {
    full = true;
    call("m@flex");
    for (int i = 0; i < 5; i++) {
      call("m@flex");
      assertThat(asked).containsExactly("m");
    }
    now = now.plus(PATIENCE);
    call("m@flex");
    assertThat(asked.getFirst()).isEqualTo("m@flex");
    assertThat(asked.getLast()).isEqualTo("m");
    call("m@flex");
    assertThat(asked).containsExactly("m");
  }

  @Test
  void aTierThatIsBackIsUsedByAllCalls() throws InterruptedException {
    full = true;
    call("m@flex");
    full = false;
    now = now.plus(PATIENCE);
    for (int i = 0; i < 3; i++) {
      call("m@flex");
      assertThat(asked).containsExactly("m@flex");
    }
  }
}

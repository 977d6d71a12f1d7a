package dev.abacus.topology.model;

import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeteredModelClientTest {

  @Test
  void callsFailuresTokensCostAndTimeAddUpByModel() throws InterruptedException {
    ModelTotals totals = new ModelTotals();
    ModelClient client =
        new MeteredModelClient(
            new ScriptedModelClient(say("a"), fail(new ModelFailure.TimedOut("late")), say("b")),
            totals);
    for (String model : List.of("m", "m", "n")) {
      client.call(
          new ModelRequest(
              model,
              "s",
              List.of(new Content.Text("u")),
              null,
              0,
              null,
              false,
              ModelRequest.DEFAULT_TIMEOUT));
    }
    assertThat(totals.totals())
        .containsEntry("m", new ModelTotals.Total(2, 1, 10, 1, 0.02, 1.0))
        .containsEntry("n", new ModelTotals.Total(1, 0, 10, 1, 0.01, 0.5));
  }
}

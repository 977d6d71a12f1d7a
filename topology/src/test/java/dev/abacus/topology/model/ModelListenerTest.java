package dev.abacus.topology.model;

import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelListenerTest {

  /** Writes down what it hears. */
  private static final class Recorder implements ModelListener {
    final List<String> heard = new ArrayList<>();

    @Override
    public void calling(String model) {
      heard.add("calling " + model);
    }

    @Override
    public void ended(String model, CallOutcome<?> outcome) {
      heard.add("ended " + model + " " + (outcome.failure() == null));
    }

    @Override
    public void interrupted(String model) {
      heard.add("interrupted " + model);
    }
  }

  private final Recorder recorder = new Recorder();

  private static ModelRequest request(String model) {
    return ModelRequest.of(model, "s", List.of(new Content.Text("u")), null);
  }

  @Test
  void everyCallIsReportedBeforeAndAfter() throws InterruptedException {
    ModelClient client =
        recorder.around(
            new ScriptedModelClient(say("a"), fail(new ModelFailure.TimedOut("late")), say("b")));
    for (String model : List.of("m", "m", "n")) {
      client.call(request(model));
    }
    assertThat(recorder.heard)
        .containsExactly(
            "calling m", "ended m true", "calling m", "ended m false", "calling n", "ended n true");
  }

  @Test
  void anInterruptedCallIsReportedAsInterrupted() {
    ModelClient client =
        recorder.around(
            (ModelClient)
                _ -> {
                  throw new InterruptedException();
                });
    assertThatThrownBy(() -> client.call(request("m"))).isInstanceOf(InterruptedException.class);
    assertThat(recorder.heard).containsExactly("calling m", "interrupted m");
  }

  @Test
  void everyBatchIsReported() throws InterruptedException {
    Embedder embedder =
        recorder.around(
            new Embedder() {
              @Override
              public String name() {
                return "e";
              }

              @Override
              public EmbeddingAnswer embed(List<String> texts) {
                return EmbeddingAnswer.Failed.withoutCall(new ModelFailure.TimedOut("late"));
              }
            });
    embedder.embed(List.of("one", "two"));
    assertThat(embedder.name()).isEqualTo("e");
    assertThat(recorder.heard).containsExactly("ended e false");
  }
}

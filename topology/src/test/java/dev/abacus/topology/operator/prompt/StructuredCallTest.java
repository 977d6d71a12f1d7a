package dev.abacus.topology.operator.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ScriptedModelClient;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A call is repeated only if that can help. */
class StructuredCallTest {

  private static final Prompt<Boolean> PROMPT =
      new Prompt<>("decide", List.of(new Content.Text("text")), FilterPrompt.DECISION);

  private static StructuredAnswer<Boolean> ask(ScriptedModelClient client)
      throws InterruptedException {
    return StructuredCall.ask(client, "m", PROMPT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"satisfied\": true}",
        "{\"satisfied\": \"True\"}",
        "{\"satisfied\": [true]}",
        "{\"Satisfied\": true, \"reason\": \"because\"}",
        "Yes.\n```json\n{\"satisfied\": true}\n```",
      })
  void anAnswerWithOneMeaningTakesOneCall(String answer) throws InterruptedException {
    ScriptedModelClient client = new ScriptedModelClient(ScriptedModelClient.say(answer));
    assertThat(ask(client))
        .isInstanceOfSatisfying(
            StructuredAnswer.Valid.class,
            valid -> {
              assertThat(valid.answer()).isEqualTo(true);
              assertThat(valid.stats().calls()).isEqualTo(1);
            });
    assertThat(client.requests()).hasSize(1);
  }

  @Test
  void aMalformedAnswerIsRepairedTwiceAtMost() throws InterruptedException {
    ScriptedModelClient client =
        new ScriptedModelClient(
            ScriptedModelClient.say("{\"satisfied\": \"perhaps\"}"),
            ScriptedModelClient.say("{\"satisfied\": null}"),
            ScriptedModelClient.say("no idea"),
            ScriptedModelClient.say("{\"satisfied\": true}"));
    assertThat(ask(client)).isInstanceOf(StructuredAnswer.Failed.class);
    assertThat(client.requests()).hasSize(3);
    assertThat(ScriptedModelClient.words(client.requests().get(1))).contains("perhaps");
  }

  @Test
  void aRepairThatWouldBeTheSamePromptAgainIsNotSent() throws InterruptedException {
    ScriptedModelClient client =
        ScriptedModelClient.always(ScriptedModelClient.say("I cannot decide that."));
    assertThat(ask(client)).isInstanceOf(StructuredAnswer.Failed.class);
    assertThat(client.requests()).hasSize(2);
  }

  static Stream<ModelFailure> failures() {
    return Stream.of(
        new ModelFailure.Declined("refused"),
        new ModelFailure.ContextTooLong("too long"),
        new ModelFailure.QuotaExhausted("no credit"),
        new ModelFailure.Truncated("cut off"),
        new ModelFailure.Refused(400, "bad request"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailureThatCannotChangeTakesOneCall(ModelFailure failure) throws InterruptedException {
    ScriptedModelClient client = ScriptedModelClient.always(ScriptedModelClient.fail(failure));
    assertThat(ask(client))
        .isInstanceOfSatisfying(
            StructuredAnswer.Failed.class,
            failed -> assertThat(failed.failure()).isEqualTo(failure));
    assertThat(client.requests()).hasSize(1);
  }
}

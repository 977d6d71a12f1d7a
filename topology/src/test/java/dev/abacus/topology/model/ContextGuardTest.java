package dev.abacus.topology.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ContextGuardTest {

  private final ScriptedModelClient model =
      ScriptedModelClient.always(ScriptedModelClient.say("good"));
  private final ModelClient client =
      new ContextGuard(model, ModelClientContract.catalogue("http://127.0.0.1:9"));

  private static ModelRequest request(String words, @Nullable Integer maxOutputTokens) {
    return new ModelRequest(
        "dear",
        "",
        List.of(new Content.Text(words)),
        null,
        0,
        maxOutputTokens,
        false,
        Duration.ofSeconds(1));
  }

  @Test
  void aPromptThatFitsIsSentHoweverManyCharactersItHas() throws InterruptedException {
    assertThat(client.call(request("word ".repeat(990), null)).failure()).isNull();
  }

  @Test
  void aPromptThatDoesNotFitFailsWithoutACallAndSaysByHowMuch() throws InterruptedException {
    ModelAnswer answer = client.call(request("word ".repeat(1100), null));
    assertThat(answer.failure()).isInstanceOf(ModelFailure.ContextTooLong.class);
    assertThat(answer.cost()).isZero();
    assertThat(((ModelAnswer.Failed) answer).failure().message()).contains("110", "1000", "dear");
    assertThat(model.requests()).isEmpty();
  }

  @Test
  void roomIsLeftForTheAnswer() throws InterruptedException {
    assertThat(client.call(request("word ".repeat(900), 200)).failure())
        .isInstanceOf(ModelFailure.ContextTooLong.class);
  }

  @Test
  void specialTokensInADocumentCountAsText() {
    assertThat(Tokens.count("<|endoftext|>")).isGreaterThan(1);
  }
}

package dev.abacus.topology.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ContextGuardTest {

  private final ScriptedModelClient model =
      ScriptedModelClient.always(ScriptedModelClient.say("good"));
  private final ModelClient client =
      new ContextGuard(model, ModelCatalogue.of(List.of(ModelClientContract.CARD)));

  private static ModelRequest request(String words, @Nullable Integer maxOutputTokens) {
    return ModelRequest.of("dear", "", List.of(new Content.Text(words)), null)
        .withOptions(new ModelRequest.Options(0, maxOutputTokens, false));
  }

  @Test
  void aPromptThatFitsIsSent() throws InterruptedException {
    assertThat(client.call(request("word ".repeat(990), null)).failure()).isNull();
  }

  @Test
  void aPromptThatDoesNotFitFailsWithoutACallAndReportsBothSizes() throws InterruptedException {
    ModelAnswer answer = client.call(request("word ".repeat(1100), null));
    assertThat(answer.failure()).isInstanceOf(ModelFailure.ContextTooLong.class);
    assertThat(answer.cost()).isZero();
    assertThat(((ModelAnswer.Failed) answer).failure().message()).contains("110", "1000", "dear");
    assertThat(model.requests()).isEmpty();
  }

  @Test
  void theLimitOfTheAnswerIsReserved() throws InterruptedException {
    assertThat(client.call(request("word ".repeat(900), 200)).failure())
        .isInstanceOf(ModelFailure.ContextTooLong.class);
  }

  @Test
  void specialTokensInADocumentCountAsText() {
    assertThat(Tokens.count("<|endoftext|>")).isGreaterThan(1);
  }
}

package dev.abacus.topology.model.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ScriptedModelClient;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ContextGuardTest {

  private final ScriptedModelClient model =
      ScriptedModelClient.always(ScriptedModelClient.say("good"));
  private final ModelClient client =
      new ContextGuard(
          model, TokenCounter.of(ModelCatalogue.of(List.of(card("gpt-4o"), card("unheard-of")))));

  private static ModelCard card(String name) {
    return ModelCard.chat(name).contextTokens(1000).build();
  }

  private static ModelRequest request(String words, @Nullable Integer maxOutputTokens) {
    return request("gpt-4o", words, maxOutputTokens);
  }

  private static ModelRequest request(
      String model, String words, @Nullable Integer maxOutputTokens) {
    return ModelRequest.of(model, "", List.of(new Content.Text(words)), null)
        .withOptions(new ModelRequest.Options(0, maxOutputTokens, false));
  }

  @Test
  void aPromptThatFitsIsSent() throws InterruptedException {
    assertThat(client.call(request("word ".repeat(980), null)).failure()).isNull();
  }

  @Test
  void aPromptThatDoesNotFitFailsWithoutACallAndReportsBothSizes() throws InterruptedException {
    ModelAnswer answer = client.call(request("word ".repeat(1100), null));
    assertThat(answer.failure()).isInstanceOf(ModelFailure.ContextTooLong.class);
    assertThat(answer.cost()).isZero();
    assertThat(((ModelAnswer.Failed) answer).failure().message())
        .contains("1112", "1000", "gpt-4o");
    assertThat(model.requests()).isEmpty();
  }

  private static ModelAnswer reading(long tokens, String words) throws InterruptedException {
    ModelClient server =
        _ ->
            new ModelAnswer.Success(
                "good", new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(tokens, 0, 5)), List.of());
    ModelCard large = ModelCard.chat("gpt-4o").contextTokens(100_000).build();
    return new ContextGuard(server, TokenCounter.of(ModelCatalogue.of(List.of(large))))
        .call(request(words, null));
  }

  @Test
  void anAnswerToAPromptThatTheServerCutIsAFailureThatCosts() throws InterruptedException {
    ModelAnswer cut = reading(4096, "word ".repeat(10_000));

    assertThat(cut.failure()).isInstanceOf(ModelFailure.ContextTooLong.class);
    assertThat(((ModelAnswer.Failed) cut).failure().message())
        .contains("4096 of at least 10001 tokens", "OLLAMA_CONTEXT_LENGTH");
    assertThat(cut.cost()).isEqualTo(0.01);
  }

  @Test
  void usageThatIsMissingOrAboutRightIsNoSignOfACut() throws InterruptedException {
    assertThat(reading(0, "word ".repeat(10_000)).failure()).isNull();
    assertThat(reading(9_500, "word ".repeat(10_000)).failure()).isNull();
    assertThat(reading(10, "word ".repeat(900)).failure()).as("too short to tell").isNull();
  }

  @Test
  void aServerThatReadALongerPromptLatelyIsTrustedForAMinute() throws InterruptedException {
    AtomicLong read = new AtomicLong();
    ModelClient server =
        _ ->
            new ModelAnswer.Success(
                "good",
                new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(read.get(), 0, 5)),
                List.of());
    AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    ModelCard large = ModelCard.chat("gpt-4o").contextTokens(100_000).build();
    ModelClient guarded =
        new ContextGuard(server, TokenCounter.of(ModelCatalogue.of(List.of(large))), now::get);
    ModelRequest whole = request("word ".repeat(5_000), null);
    ModelRequest longer = request("word ".repeat(10_000), null);

    read.set(4_990);
    assertThat(guarded.call(whole).failure()).isNull();
    assertThat(guarded.call(longer).failure())
        .as("as much as before, so it may be cut")
        .isNotNull();
    read.set(4_096);
    assertThat(guarded.call(longer).failure()).as("a context of 4,990 does not cut here").isNull();
    now.set(Instant.EPOCH.plusSeconds(60));
    assertThat(guarded.call(longer).failure()).as("the server may be another one").isNotNull();
  }

  @Test
  void theLimitOfTheAnswerIsReserved() throws InterruptedException {
    assertThat(client.call(request("word ".repeat(900), 200)).failure())
        .isInstanceOf(ModelFailure.ContextTooLong.class);
  }

  @Test
  void theEndpointDecidesWhereTheTokensAreAnEstimateAndThePromptMayFit()
      throws InterruptedException {
    String chinese = "今天早上我的卡被拒绝了。".repeat(80);
    assertThat(client.call(request("unheard-of", chinese, null)).failure()).isNull();
    assertThat(client.call(request("unheard-of", chinese.repeat(3), null)).failure())
        .isInstanceOf(ModelFailure.ContextTooLong.class);
  }

  /** A paid answer that waited for it would have no receipt meanwhile. */
  @Test
  void theVocabularyIsLoadedBeforeTheCall() throws InterruptedException {
    // No other test uses this vocabulary, so it is not loaded yet.
    ModelCard rare = ModelCard.chat("rare").contextTokens(100_000).tokenizer("p50k_edit").build();
    AtomicLong called = new AtomicLong();
    ModelClient server =
        _ -> {
          called.set(processorNanos());
          return new ModelAnswer.Success(
              "good", new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(2_000, 0, 5)), List.of());
        };
    ModelClient guarded =
        new ContextGuard(server, TokenCounter.of(ModelCatalogue.of(List.of(rare))));
    long start = processorNanos();
    assertThat(guarded.call(request("rare", "word ".repeat(2_000), null)).failure()).isNull();
    assertThat(processorNanos() - called.get())
        .as("processor time behind the call")
        .isLessThan((called.get() - start) / 2);
  }

  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}

package dev.abacus.topology.model;

import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetriesTest {

  private static final RetryPolicy POLICY =
      new RetryPolicy(4, Duration.ofSeconds(60), Duration.ofSeconds(1), Duration.ofSeconds(3));
  private static final ModelFailure BUSY = new ModelFailure.ServerError(503, "busy", null);

  private final List<Duration> pauses = new ArrayList<>();

  private final Random random = new Random(7);

  private ModelClient retrying(ModelClient next) {
    return new Retries(POLICY, pauses::add, random).around(next);
  }

  private static ModelRequest request() {
    return ModelRequest.of("m", "s", List.of(new Content.Text("u")), null)
        .withTimeout(Duration.ofSeconds(45));
  }

  @Test
  void retryableFailuresAreRetriedAndTheAnswerIncludesAllAttempts() throws InterruptedException {
    ScriptedModelClient model =
        new ScriptedModelClient(
            fail(BUSY), fail(new ModelFailure.ConnectionLost("gone")), say("good"));
    ModelAnswer.Success answer = (ModelAnswer.Success) retrying(model).call(request());
    assertThat(answer.text()).isEqualTo("good");
    assertThat(answer.attempts()).isEqualTo(3);
    assertThat(answer.cost()).isCloseTo(0.03, within(1e-12));
    double paused = pauses.stream().mapToLong(Duration::toMillis).sum() / 1e3;
    assertThat(answer.latency()).isCloseTo(1.5 + paused, within(1e-9));
  }

  @Test
  void otherFailuresAreNotRetried() throws InterruptedException {
    for (ModelFailure failure :
        List.of(
            new ModelFailure.Refused(400, "no"),
            new ModelFailure.AuthenticationFailed("no"),
            new ModelFailure.UnknownModel("no"),
            new ModelFailure.ContextTooLong("no"),
            new ModelFailure.QuotaExhausted("no"),
            new ModelFailure.Declined("no"),
            new ModelFailure.Truncated("no"))) {
      ScriptedModelClient model = new ScriptedModelClient(fail(failure));
      assertThat(retrying(model).call(request()).failure()).isEqualTo(failure);
    }
    assertThat(pauses).isEmpty();
  }

  @Test
  void theNumberOfAttemptsIsBounded() throws InterruptedException {
    ScriptedModelClient model = ScriptedModelClient.always(fail(BUSY));
    ModelAnswer answer = retrying(model).call(request());
    assertThat(answer.failure()).isEqualTo(BUSY);
    assertThat(model.requests()).hasSize(4);
    assertThat(answer.attempts()).isEqualTo(4);
  }

  @Test
  void pausesGrowExponentiallyToABoundWithFullJitter() throws InterruptedException {
    for (int i = 0; i < 200; i++) {
      retrying(ScriptedModelClient.always(fail(BUSY))).call(request());
    }
    for (int i = 0; i < pauses.size(); i++) {
      long bound = new long[] {1000, 2000, 3000}[i % 3];
      assertThat(pauses.get(i).toMillis()).isBetween(0L, bound);
    }
    assertThat(pauses.stream().mapToLong(Duration::toMillis).min().orElse(9999)).isLessThan(100);
    assertThat(pauses.stream().mapToLong(Duration::toMillis).max().orElse(0)).isGreaterThan(2900);
  }

  @Test
  void thePauseIsAtLeastWhatTheEndpointRequests() throws InterruptedException {
    ModelFailure limited = new ModelFailure.RateLimited("slow", Duration.ofSeconds(20));
    retrying(new ScriptedModelClient(fail(limited), say("good"))).call(request());
    assertThat(pauses).hasSize(1);
    assertThat(pauses.getFirst()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(21));
  }

  @Test
  void aPauseBeyondTheTotalTimeEndsTheRetries() throws InterruptedException {
    ModelFailure limited = new ModelFailure.RateLimited("slow", Duration.ofSeconds(61));
    ModelAnswer answer = retrying(new ScriptedModelClient(fail(limited))).call(request());
    assertThat(answer.failure()).isEqualTo(limited);
    assertThat(pauses).isEmpty();
  }

  @Test
  void anAttemptHasAtMostTheRemainingTime() throws InterruptedException {
    ModelFailure limited = new ModelFailure.RateLimited("slow", Duration.ofSeconds(30));
    ScriptedModelClient model = new ScriptedModelClient(fail(limited), say("good"));
    retrying(model).call(request());
    assertThat(model.requests().getFirst().timeout()).isEqualTo(Duration.ofSeconds(45));
    assertThat(model.requests().getLast().timeout()).isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void embeddingsAreRetriedByTheSameRules() throws InterruptedException {
    Deque<EmbeddingAnswer> script =
        new ArrayDeque<>(
            List.of(
                new EmbeddingAnswer.Failed(BUSY, 0.01, 0.5, 1),
                new EmbeddingAnswer.Success(List.of(Embedding.of(1)), 0.02, 0.5, 1)));
    Embedder embedder =
        new Embedder() {
          @Override
          public String name() {
            return "scripted";
          }

          @Override
          public EmbeddingAnswer embed(List<String> texts) {
            return script.remove();
          }
        };
    Embedder retried = new Retries(POLICY, pauses::add, random).around(embedder);
    EmbeddingAnswer answer = retried.embed(List.of("text"));
    assertThat(retried.name()).isEqualTo("scripted");
    assertThat(answer.failure()).isNull();
    assertThat(answer.attempts()).isEqualTo(2);
    assertThat(answer.cost()).isCloseTo(0.03, within(1e-12));
    assertThat(pauses).hasSize(1);
  }

  @Test
  void anInterruptEndsThePause() {
    Retries retries =
        new Retries(
            POLICY,
            _ -> {
              throw new InterruptedException();
            },
            random);
    ModelClient client = retries.around(ScriptedModelClient.always(fail(BUSY)));
    assertThatThrownBy(() -> client.call(request())).isInstanceOf(InterruptedException.class);
  }

  @Test
  void aPolicyNeedsAnAttemptAndTime() {
    assertThatThrownBy(() -> POLICY.withMaxAttempts(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RetryPolicy(1, Duration.ZERO, Duration.ZERO, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

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
      new RetryPolicy(4, Duration.ofSeconds(1), Duration.ofSeconds(3));
  private static final ModelFailure MALFORMED = new ModelFailure.Malformed("no JSON");

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
  void malformedAnswersAreRetriedAndTheAnswerIncludesAllAttempts() throws InterruptedException {
    ScriptedModelClient model =
        new ScriptedModelClient(fail(MALFORMED), fail(MALFORMED), say("good"));
    ModelAnswer.Success answer = (ModelAnswer.Success) retrying(model).call(request());
    assertThat(answer.text()).isEqualTo("good");
    assertThat(answer.attempts()).isEqualTo(3);
    assertThat(answer.cost()).isCloseTo(0.03, within(1e-12));
    double paused = pauses.stream().mapToLong(Duration::toMillis).sum() / 1e3;
    assertThat(answer.latency()).isCloseTo(1.5 + paused, within(1e-9));
    assertThat(model.requests()).containsOnly(request());
  }

  @Test
  void anEmptyAnswerIsRetriedOnce() throws InterruptedException {
    ModelFailure empty = new ModelFailure.EmptyAnswer("empty");
    ScriptedModelClient model = ScriptedModelClient.always(fail(empty));
    assertThat(retrying(model).call(request()).failure()).isEqualTo(empty);
    assertThat(model.requests()).hasSize(2);
  }

  @Test
  void failuresThatARepetitionCannotHelpAreNotRetried() throws InterruptedException {
    for (ModelFailure failure :
        List.of(
            new ModelFailure.Refused(400, "no"),
            new ModelFailure.ContextTooLong("no"),
            new ModelFailure.Declined("no"),
            new ModelFailure.Truncated("no"),
            new ModelFailure.MediaUnavailable("no", false))) {
      ScriptedModelClient model = new ScriptedModelClient(fail(failure));
      assertThat(retrying(model).call(request()).failure()).isEqualTo(failure);
    }
    assertThat(pauses).isEmpty();
  }

  @Test
  void faultsOfTheProviderAreNotRetriedHere() throws InterruptedException {
    for (ModelFailure failure :
        List.of(
            new ModelFailure.RateLimited("no", Duration.ofSeconds(1)),
            new ModelFailure.ServerError(503, "no", null),
            new ModelFailure.TimedOut("no"),
            new ModelFailure.ConnectionLost("no"),
            new ModelFailure.AuthenticationFailed("no"),
            new ModelFailure.UnknownModel("no"),
            new ModelFailure.QuotaExhausted("no"))) {
      ScriptedModelClient model = new ScriptedModelClient(fail(failure));
      assertThat(retrying(model).call(request()).failure()).isEqualTo(failure);
    }
    assertThat(pauses).isEmpty();
  }

  @Test
  void theNumberOfAttemptsIsBounded() throws InterruptedException {
    ScriptedModelClient model = ScriptedModelClient.always(fail(MALFORMED));
    ModelAnswer answer = retrying(model).call(request());
    assertThat(answer.failure()).isEqualTo(MALFORMED);
    assertThat(model.requests()).hasSize(4);
    assertThat(answer.attempts()).isEqualTo(4);
  }

  @Test
  void pausesGrowExponentiallyToABoundWithFullJitter() throws InterruptedException {
    for (int i = 0; i < 200; i++) {
      retrying(ScriptedModelClient.always(fail(MALFORMED))).call(request());
    }
    for (int i = 0; i < pauses.size(); i++) {
      long bound = new long[] {1000, 2000, 3000}[i % 3];
      assertThat(pauses.get(i).toMillis()).isBetween(0L, bound);
    }
    assertThat(pauses.stream().mapToLong(Duration::toMillis).min().orElse(9999)).isLessThan(100);
    assertThat(pauses.stream().mapToLong(Duration::toMillis).max().orElse(0)).isGreaterThan(2900);
  }

  @Test
  void thePauseOfAPolicyIsAtLeastWhatTheEndpointRequests() {
    ModelFailure limited = new ModelFailure.RateLimited("slow", Duration.ofSeconds(20));
    assertThat(POLICY.pause(1, limited, random))
        .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(21));
  }

  @Test
  void embeddingsAreRetriedByTheSameRules() throws InterruptedException {
    Deque<EmbeddingAnswer> script =
        new ArrayDeque<>(
            List.of(
                new EmbeddingAnswer.Failed(MALFORMED, new ExecutionStats(0.01, 0.5, 1)),
                new EmbeddingAnswer.Success(
                    List.of(Embedding.of(1)), new ExecutionStats(0.02, 0.5, 1))));
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
    ModelClient client = retries.around(ScriptedModelClient.always(fail(MALFORMED)));
    assertThatThrownBy(() -> client.call(request())).isInstanceOf(InterruptedException.class);
  }

  @Test
  void aPolicyNeedsAnAttempt() {
    assertThatThrownBy(() -> POLICY.withMaxAttempts(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RetryPolicy(0, Duration.ZERO, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

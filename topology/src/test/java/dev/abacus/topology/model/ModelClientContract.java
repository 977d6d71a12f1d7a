package dev.abacus.topology.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.TokenCounts;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of a provider's {@link ModelClient}: one attempt per call, answers with usage, cost
 * and latency, and failures as values. A provider's test extends this class and drives a fake
 * endpoint that speaks the provider's API; each of its methods sets the next response.
 */
@Timeout(30)
public abstract class ModelClientContract {

  /** The model to call: USD 10 per million input tokens, 5 if cached, 20 for output. */
  protected static final ModelCard CARD =
      ModelCard.chat("dear")
          .apiName("dear-2026")
          .inputUsdPerMillion(10)
          .cachedInputUsdPerMillion(5.0)
          .outputUsdPerMillion(20)
          .quality(0.9)
          .secondsPerOutputToken(0.01)
          .contextTokens(1000)
          .build();

  /** The client of {@link #CARD}, connected to the fake endpoint. */
  protected abstract ModelClient client();

  /** The endpoint answers; null if it does not report usage. */
  protected abstract void answers(String text, @Nullable TokenCounts usage);

  /** The endpoint stops at the limit of output tokens. */
  protected abstract void truncates(String text, TokenCounts usage);

  /** The endpoint limits the rate and requests a pause. */
  protected abstract void limitsRate(Duration retryAfter);

  /** The endpoint has an internal error. */
  protected abstract void fails();

  /** The endpoint rejects the request with a message. */
  protected abstract void rejectsRequest(String message);

  /** The endpoint rejects the key with a message. */
  protected abstract void rejectsKey(String message);

  /** The endpoint sends a complete response that does not follow its API. */
  protected abstract void sendsGarbage();

  /** The endpoint takes the request and sends nothing. */
  protected abstract void neverAnswers();

  /** The endpoint sends the beginning of an answer, and nothing more. */
  protected abstract void stallsInBody();

  /** The endpoint closes the connection within an answer. */
  protected abstract void closesConnectionInBody();

  /** Waits until the endpoint has received a request. */
  protected abstract void awaitRequest() throws InterruptedException;

  /** Stops the endpoint: it accepts no more connections. */
  protected abstract void stopEndpoint();

  /** A request to {@link #CARD} without a schema. */
  protected static ModelRequest request() {
    return ModelRequest.of(CARD.name(), "rules", List.of(new Content.Text("words")), null);
  }

  /** The failure of a call, which must have made one attempt. */
  protected ModelFailure failure() throws InterruptedException {
    ModelAnswer answer = client().call(request());
    assertThat(answer.attempts()).isEqualTo(1);
    return Objects.requireNonNull(answer.failure(), () -> "an answer: " + answer);
  }

  @Test
  void anAnswerHasTextUsageCostAndLatency() throws InterruptedException {
    answers("{\"x\": 1}", TokenCounts.of(100, 40, 10));
    ModelAnswer.Success answer = (ModelAnswer.Success) client().call(request());
    assertThat(answer.text()).isEqualTo("{\"x\": 1}");
    assertThat(answer.tokens()).isEqualTo(TokenCounts.of(100, 40, 10));
    assertThat(answer.cost()).isCloseTo((60 * 10 + 40 * 5 + 10 * 20) / 1e6, within(1e-12));
    assertThat(answer.latency()).isPositive();
    assertThat(answer.attempts()).isEqualTo(1);
  }

  @Test
  void tokensAreEstimatedIfTheEndpointDoesNotReportThem() throws InterruptedException {
    answers("hello world", null);
    ModelAnswer.Success answer = (ModelAnswer.Success) client().call(request());
    assertThat(answer.tokens().estimated()).isEqualTo(answer.tokens().total());
    assertThat(answer.tokens().output()).isEqualTo(2);
    assertThat(answer.cost()).isPositive();
  }

  @Test
  void aTruncatedAnswerIsAFailureThatCosts() throws InterruptedException {
    truncates("{\"x", TokenCounts.of(1, 0, 2));
    ModelAnswer answer = client().call(request());
    assertThat(answer.failure()).isInstanceOf(ModelFailure.Truncated.class);
    assertThat(answer.cost()).isCloseTo(50 / 1e6, within(1e-12));
  }

  @Test
  void aRateLimitIsRetryableAfterItsPause() throws InterruptedException {
    limitsRate(Duration.ofSeconds(7));
    ModelFailure failure = failure();
    assertThat(failure).isInstanceOf(ModelFailure.RateLimited.class);
    assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(7));
    assertThat(failure.isProviderFault()).isTrue();
  }

  @Test
  void anInternalErrorIsAFaultOfTheProvider() throws InterruptedException {
    fails();
    ModelFailure failure = failure();
    assertThat(failure).isInstanceOf(ModelFailure.ServerError.class);
    assertThat(failure.isProviderFault()).isTrue();
  }

  @Test
  void aRejectedRequestIsNotRepeatedAndHasTheMessageOfTheEndpoint() throws InterruptedException {
    rejectsRequest("bad thing");
    ModelFailure failure = failure();
    assertThat(failure).isInstanceOf(ModelFailure.Refused.class);
    assertThat(failure.isProviderFault()).isFalse();
    assertThat(failure.repetitions()).isZero();
    assertThat(failure.message()).contains("bad thing");
  }

  @Test
  void aRejectedKeyIsAFaultOfTheProvider() throws InterruptedException {
    rejectsKey("bad key");
    ModelFailure failure = failure();
    assertThat(failure).isInstanceOf(ModelFailure.AuthenticationFailed.class);
    assertThat(failure.isProviderFault()).isTrue();
    assertThat(failure.message()).contains("bad key");
  }

  @Test
  void aResponseOutsideTheApiIsWorthRepeating() throws InterruptedException {
    sendsGarbage();
    assertThat(failure().repetitions()).isPositive();
  }

  @Test
  void anEndpointThatNeverAnswersTimesOut() throws InterruptedException {
    neverAnswers();
    assertTimesOut();
  }

  @Test
  void anAnswerThatStallsTimesOut() throws InterruptedException {
    stallsInBody();
    assertTimesOut();
  }

  private void assertTimesOut() throws InterruptedException {
    ModelAnswer answer = client().call(request().withTimeout(Duration.ofMillis(300)));
    assertThat(answer.failure()).isInstanceOf(ModelFailure.TimedOut.class);
    assertThat(answer.latency()).isBetween(0.29, 5.0);
  }

  @Test
  void anIncompleteAnswerIsALostConnection() throws InterruptedException {
    closesConnectionInBody();
    assertThat(failure()).isInstanceOf(ModelFailure.ConnectionLost.class);
  }

  @Test
  void anUnreachableEndpointIsALostConnection() throws InterruptedException {
    ModelClient client = client();
    stopEndpoint();
    assertThat(client.call(request()).failure()).isInstanceOf(ModelFailure.ConnectionLost.class);
  }

  @Test
  void anInterruptEndsTheCall() throws InterruptedException {
    neverAnswers();
    ModelClient client = client();
    AtomicReference<Object> outcome = new AtomicReference<>();
    Thread caller =
        Thread.startVirtualThread(() -> {
          try {
            outcome.set(client.call(request()));
          } catch (InterruptedException e) {
            outcome.set(e);
          }
        });
    awaitRequest();
    caller.interrupt();
    caller.join();
    assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
  }
}

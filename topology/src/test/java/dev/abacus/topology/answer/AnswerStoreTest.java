package dev.abacus.topology.answer;

import static dev.abacus.topology.model.ScriptedModelClient.always;
import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.model.WaitListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AnswerStoreTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private Instant now = Instant.parse("2026-11-22T12:00:00Z");
  private String endpoint = "http://a";
  private final List<String> shared = new ArrayList<>();
  private final AnswerLog log =
      new AnswerLog() {
        @Override
        public void write(String key, byte[] answer, long position) {
          shared.add(key);
        }

        @Override
        public void remove(String key) {
          shared.add("-" + key);
        }
      };
  private final AnswerStore store = store(1 << 20);
  private final ScriptedModelClient model = always(say("yes"));

  private AnswerStore store(long bytes) {
    AnswerStore created =
        new AnswerStore(
            new AnswerStore.Settings(HOUR, bytes, 0),
            name -> name.equals("unknown") ? null : endpoint,
            () -> now,
            log);
    created.complete();
    return created;
  }

  private ModelClient program(String name) {
    return store.around(model, name, () -> true);
  }

  private static ModelRequest request(String text) {
    return ModelRequest.of("m", "system", List.of(new Content.Text(text)), schema("s"));
  }

  private static ResponseSchema schema(String name) {
    return new ResponseSchema(name, JsonNodeFactory.instance.objectNode().put("type", "object"));
  }

  private static ModelAnswer.Success success(ModelAnswer answer) {
    assertThat(answer).isInstanceOf(ModelAnswer.Success.class);
    return (ModelAnswer.Success) answer;
  }

  @Test
  void twoProgramsWithTheSameRequestPayOnce() throws InterruptedException {
    ModelAnswer.Success paid = success(program("a").call(request("one")));
    ModelAnswer.Success saved = success(program("b").call(request("one")));
    assertThat(model.requests()).hasSize(1);
    assertThat(paid.cost()).isPositive();
    assertThat(saved.text()).isEqualTo(paid.text());
    assertThat(saved.cost()).isZero();
    assertThat(saved.attempts()).isZero();
    assertThat(saved.latency()).isLessThan(paid.latency());
    assertThat(saved.tokens()).isEqualTo(TokenCounts.ofStored(paid.tokens().total()));
    assertThat(store.counts("a").hits()).isZero();
    assertThat(store.counts("b").requests()).isEqualTo(1);
    assertThat(store.counts("b").hits()).isEqualTo(1);
    assertThat(store.counts("b").savedUsd()).isEqualTo(paid.cost());
    assertThat(store.counts("b").savedTokens()).isEqualTo(paid.tokens().total());
  }

  @Test
  void theKeyContainsTheRequestAndTheEndpointOfTheModel() throws InterruptedException {
    List<ModelRequest> different =
        List.of(
            request("one"),
            request("two"),
            ModelRequest.of("m", "other", List.of(new Content.Text("one")), schema("s")),
            ModelRequest.of("m", "system", List.of(new Content.Text("one")), schema("t")),
            ModelRequest.of("m", "system", List.of(new Content.Text("one")), null),
            ModelRequest.of("n", "system", List.of(new Content.Text("one")), schema("s")),
            request("one").withLogprobs(),
            request("one").withContent(List.of(new Content.ImageBytes("image/png", "aaaa"))),
            request("one").withContent(List.of(new Content.ImageBytes("image/png", "aaab"))));
    for (ModelRequest request : different) {
      program("a").call(request);
      program("a").call(request);
    }
    assertThat(model.requests()).isEqualTo(different);
    assertThat(AnswerStore.identity(ModelCard.chat("m").contextTokens(9).build(), "http://a"))
        .isNotEqualTo(
            AnswerStore.identity(ModelCard.chat("m").contextTokens(9).build(), "http://b"))
        .isNotEqualTo(
            AnswerStore.identity(
                ModelCard.chat("m").contextTokens(9).reasoningEffort("low").build(), "http://a"));
  }

  @Test
  void sampledAnswersRemoteImagesAndUnknownModelsAreNotStored() throws InterruptedException {
    List<ModelRequest> unstored =
        List.of(
            request("one").withTemperature(0.7),
            request("one").withContent(List.of(new Content.ImageReference("http://x/cat.png"))),
            ModelRequest.of("unknown", "s", List.of(new Content.Text("one")), null));
    for (ModelRequest request : unstored) {
      program("a").call(request);
      program("a").call(request);
    }
    assertThat(model.requests()).hasSize(6);
    assertThat(store.size()).isZero();
    program("a").call(request("x").withContent(List.of(new Content.ImageReference("data:,a"))));
    assertThat(store.size()).isEqualTo(1);
  }

  @Test
  void aFailureIsNotStored() throws InterruptedException {
    ScriptedModelClient failing =
        new ScriptedModelClient(fail(new ModelFailure.Declined("no")), say("yes"));
    ModelClient client = store.around(failing, "a", () -> true);
    assertThat(client.call(request("one")).failure()).isNotNull();
    assertThat(client.call(request("one")).failure()).isNull();
    assertThat(failing.requests()).hasSize(2);
  }

  @Test
  void anAnswerWithoutTheRequestedFormIsForgottenByAllWorkers() throws InterruptedException {
    program("a").call(request("one"));
    program("a").discard(request("one"));
    program("b").call(request("one"));
    assertThat(model.requests()).hasSize(2);
    assertThat(shared).hasSize(3);
    assertThat(shared.get(1)).isEqualTo("-" + shared.get(0));
  }

  @Test
  void anAnswerIsUsedUpToItsAge() throws InterruptedException {
    program("a").call(request("one"));
    now = now.plus(HOUR);
    program("a").call(request("one"));
    assertThat(model.requests()).hasSize(1);
    now = now.plusMillis(1);
    program("a").call(request("one"));
    assertThat(model.requests()).hasSize(2);
  }

  @Test
  void theStoreIsBoundedInSize() throws InterruptedException {
    AnswerStore small = store(5_000);
    ModelClient client = small.around(model, "a", () -> true);
    for (int i = 0; i < 100; i++) {
      client.call(request("document " + i));
    }
    assertThat(small.size()).isBetween(1L, 15L);
  }

  @Test
  void anotherWorkersAnswerIsUsedUnlessItIsTooOld() throws InterruptedException {
    AnswerStore other = store(1 << 20);
    List<byte[]> written = new ArrayList<>();
    AnswerStore writing =
        new AnswerStore(
            new AnswerStore.Settings(HOUR, 1 << 20, 0),
            _ -> endpoint,
            () -> now,
            new AnswerLog() {
              @Override
              public void write(String key, byte[] answer, long position) {
                written.add(answer);
                shared.add(key);
              }

              @Override
              public void remove(String key) {}
            });
    writing.complete();
    writing.around(model, "a", () -> true).call(request("one"));
    long tooOld = now.minus(HOUR).toEpochMilli() - 1;
    other.apply(shared.getLast(), written.getFirst(), 0, tooOld, 0);
    assertThat(other.size()).isZero();
    other.apply(shared.getLast(), written.getFirst(), 1, now.toEpochMilli(), 1);
    ModelAnswer.Success saved =
        success(other.around(new ScriptedModelClient(), "b", () -> true).call(request("one")));
    assertThat(saved.text()).isEqualTo("yes");
    other.apply(shared.getLast(), null, 2, now.toEpochMilli(), 2);
    assertThat(other.size()).isZero();
  }

  @Test
  void clearingAModelForgetsItsAnswersAndThoseInFlight() throws Exception {
    ModelClient client = program("a");
    client.call(request("one"));
    client.call(ModelRequest.of("n", "s", List.of(new Content.Text("one")), null));
    clear(store, "n", 10);
    assertThat(store.size()).isEqualTo(1);
    clear(store, null, 11);
    assertThat(store.size()).isZero();

    Blocking slow = new Blocking();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<ModelAnswer> old =
          threads.submit(() -> store.around(slow, "a", () -> true).call(request("two")));
      slow.started.await();
      clear(store, "m", 12);
      slow.released.countDown();
      old.get();
    }
    assertThat(store.size()).as("the call began before the order").isZero();
  }

  private void clear(AnswerStore cleared, @Nullable String model, long offset) {
    cleared.apply(
        KafkaNames.clearedAnswers(model), new byte[0], offset, now.toEpochMilli(), offset);
  }

  @Test
  void anAnswerThatAnotherWorkerWroteBehindAnOrderThatItHadNotReadIsNotUsed() throws Exception {
    List<byte[]> written = new ArrayList<>();
    List<Long> started = new ArrayList<>();
    AnswerStore slow =
        new AnswerStore(
            new AnswerStore.Settings(HOUR, 1 << 20, 0),
            _ -> endpoint,
            () -> now,
            new AnswerLog() {
              @Override
              public void write(String key, byte[] answer, long position) {
                shared.add(key);
                written.add(answer);
                started.add(position);
              }

              @Override
              public void remove(String key) {}
            });
    slow.complete();
    slow.startAt(5);
    slow.around(model, "a", () -> true).call(request("one"));
    clear(store, "m", 7);
    store.apply(shared.getLast(), written.getFirst(), 8, now.toEpochMilli(), started.getFirst());
    assertThat(store.size()).as("the call started before the order").isZero();

    slow.apply(shared.getLast(), written.getFirst(), 6, now.toEpochMilli(), 6);
    clear(slow, "m", 7);
    assertThat(slow.size()).isZero();
    slow.around(model, "a", () -> true).call(request("one"));
    store.apply(shared.getLast(), written.getLast(), 9, now.toEpochMilli(), started.getLast());
    assertThat(store.size()).as("the call started behind the order").isEqualTo(1);
  }

  @Test
  void ordersToClearOfManyNamesAreBounded() throws InterruptedException {
    for (int i = 0; i < 5_000; i++) {
      clear(store, "model-" + i, i);
    }
    program("a").call(request("one"));
    assertThat(store.size()).isEqualTo(1);
    clear(store, "m", 5_000);
    assertThat(store.size()).isZero();
  }

  @Test
  void identicalRequestsInFlightAreOneCall() throws Exception {
    Blocking slow = new Blocking();
    Waits listener = new Waits(19);
    List<Future<ModelAnswer>> answers = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 20; i++) {
        ModelClient client = store.around(slow, "program " + i % 2, () -> true);
        answers.add(
            threads.submit(() ->
                ScopedValue.where(WaitListener.CURRENT, listener)
                    .call(() -> client.call(request("one")))));
      }
      listener.begun.await();
      slow.released.countDown();
    }
    assertThat(slow.calls).hasValue(1);
    assertThat(listener.waiting).as("all documents took their places again").hasValue(0);
    double paid = 0;
    for (Future<ModelAnswer> answer : answers) {
      paid += success(answer.get()).cost();
    }
    assertThat(paid).isEqualTo(0.01);
  }

  @Test
  void aRequestDoesNotWaitForAProgramThatCannotPay() throws Exception {
    Blocking poor = new Blocking();
    AtomicBoolean affordable = new AtomicBoolean(true);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<ModelAnswer> waits =
          threads.submit(() -> store.around(poor, "a", affordable::get).call(request("one")));
      poor.started.await();
      affordable.set(false);
      ModelAnswer own = program("b").call(request("one"));
      assertThat(success(own).cost()).isPositive();
      poor.released.countDown();
      assertThat(success(waits.get()).text()).isEqualTo("slow");
    }
  }

  @Test
  void ifTheCallInFlightFailsOrIsInterruptedTheOthersCall() throws Exception {
    assertThat(afterTheFirst(call -> call.failing = true)).isEqualTo(3);
    assertThat(afterTheFirst(call -> call.first.interrupt())).isLessThanOrEqualTo(2);
  }

  /** Ends the first of three identical requests; returns the calls of the others that succeed. */
  private int afterTheFirst(Consumer<Blocking> end) throws Exception {
    Blocking slow = new Blocking();
    String text = "documents so far: " + store.size();
    Waits listener = new Waits(2);
    Callable<ModelAnswer> call =
        () ->
            ScopedValue.where(WaitListener.CURRENT, listener)
                .call(() -> store.around(slow, "a", () -> true).call(request(text)));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<ModelAnswer> first = threads.submit(call);
      slow.started.await();
      List<Future<ModelAnswer>> others = List.of(threads.submit(call), threads.submit(call));
      listener.begun.await();
      end.accept(slow);
      slow.released.countDown();
      for (Future<ModelAnswer> other : others) {
        assertThat(success(other.get()).text()).isEqualTo("slow");
      }
      assertThat(first).isDone();
    }
    return slow.calls.get();
  }

  /** Counts the documents that wait. */
  private static final class Waits implements WaitListener {
    final CountDownLatch begun;
    final AtomicInteger waiting = new AtomicInteger();

    Waits(int documents) {
      begun = new CountDownLatch(documents);
    }

    @Override
    public void waiting() {
      waiting.incrementAndGet();
      begun.countDown();
    }

    @Override
    public void resumed() {
      waiting.decrementAndGet();
    }
  }

  /** Answers when released. */
  private static final class Blocking implements ModelClient {
    final CountDownLatch started = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);
    final AtomicInteger calls = new AtomicInteger();
    volatile Thread first = Thread.currentThread();
    volatile boolean failing;

    @Override
    public ModelAnswer call(ModelRequest request) throws InterruptedException {
      boolean isFirst = calls.incrementAndGet() == 1;
      if (isFirst) {
        first = Thread.currentThread();
      }
      started.countDown();
      released.await();
      return isFirst && failing
          ? new ModelAnswer.Failed(new ModelFailure.Declined("no"), 0, 0, 1)
          : new ModelAnswer.Success("slow", TokenCounts.of(10, 0, 1), 0.01, 0.5, 1, List.of());
    }
  }
}

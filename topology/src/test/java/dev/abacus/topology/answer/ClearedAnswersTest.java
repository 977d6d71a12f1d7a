package dev.abacus.topology.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Orders to forget the answers of a model. */
@Timeout(30)
class ClearedAnswersTest extends AnswerStoreFixture {

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
  void answersAreStoredAgainAfterTheTopicWasCreatedAnew() throws Exception {
    clear(store, "m", 1_000);
    store.apply("n/x", null, 0, now.toEpochMilli(), 0);
    program("a").call(request("one"));
    assertThat(store.size()).isEqualTo(1);
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
}

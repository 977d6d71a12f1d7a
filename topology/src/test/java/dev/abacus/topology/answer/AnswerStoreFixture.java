package dev.abacus.topology.answer;

import static dev.abacus.topology.model.ScriptedModelClient.always;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.model.ScriptedModelClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** An answer store of one worker, and what it writes to its log. */
abstract class AnswerStoreFixture {

  static final Duration HOUR = Duration.ofHours(1);

  Instant now = Instant.parse("2026-11-22T12:00:00Z");
  String endpoint = "http://a";
  final List<String> shared = new ArrayList<>();
  final AnswerLog log =
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
  final AnswerStore store = store(1 << 20);
  final ScriptedModelClient model = always(say("yes"));

  AnswerStore store(long bytes) {
    AnswerStore created =
        new AnswerStore(
            new AnswerStore.Settings(HOUR, bytes, 0),
            name -> name.equals("unknown") ? null : endpoint,
            () -> now,
            log);
    created.complete();
    return created;
  }

  ModelClient program(String name) {
    return store.around(model, name, () -> true);
  }

  static ModelRequest request(String text) {
    return ModelRequest.of("m", "system", List.of(new Content.Text(text)), schema("s"));
  }

  static ResponseSchema schema(String name) {
    return new ResponseSchema(name, JsonNodeFactory.instance.objectNode().put("type", "object"));
  }

  static ModelAnswer.Success success(ModelAnswer answer) {
    assertThat(answer).isInstanceOf(ModelAnswer.Success.class);
    return (ModelAnswer.Success) answer;
  }

  /** Answers when released. */
  static final class Blocking implements ModelClient {
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
          ? new ModelAnswer.Failed(new ModelFailure.Declined("no"), new ExecutionStats(0, 0, 1))
          : new ModelAnswer.Success(
              "slow", new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(10, 0, 1)), List.of());
    }
  }
}

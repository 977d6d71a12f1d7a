package dev.abacus.topology.sample;

import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.topology.model.Futures;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.RequestHash;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Calls that several implementations make for the same example are made once: the answer of a
 * proposer, a draft, the extract of a chunk. A shared answer has the cost and latency of the call,
 * so that the sample states what a live document pays; {@link Client#saved} is what was not paid.
 *
 * <p>Two calls are the same if their requests, service tiers, examples, ordinals and rounds are:
 * the second call of a sample with equal request is never answered by the first, because at a
 * temperature above 0 the answers differ; another tier has another price and latency; a new round
 * measures models anew. Failures are not shared. A sample that needs an answer that another one is
 * waiting for waits too.
 *
 * <p>Keeps the latest {@value #MOST} answers in memory. After a restart calls are made again,
 * except those of unfinished samples, which have receipts. Thread-safe.
 */
final class SharedAnswers {

  static final int MOST = 2_000;

  private record Key(@Nullable String round, String example, String request, int ordinal) {}

  /** In order of the last use. A call in progress has an unfinished future. */
  private final Map<Key, CompletableFuture<ModelAnswer.@Nullable Success>> answers =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(
                Map.Entry<Key, CompletableFuture<ModelAnswer.@Nullable Success>> eldest) {
              return size() > MOST;
            }
          });

  /** The client of one sample. */
  Client of(SampleTask task, ModelClient next) {
    return new Client(task, next);
  }

  /** Answers the calls of one sample. */
  final class Client implements ModelClient {

    private final SampleTask task;
    private final ModelClient next;

    /** Number of calls by request; also the lock. */
    private final Map<String, Integer> calls = new HashMap<>();

    private final DoubleAdder saved = new DoubleAdder();

    private Client(SampleTask task, ModelClient next) {
      this.task = task;
      this.next = next;
    }

    @Override
    public ModelClient detour(UnaryOperator<ModelClient> detour) {
      // The answer to a call for several documents depends on all of them.
      return next.detour(detour);
    }

    @Override
    public ModelAnswer call(ModelRequest request) throws InterruptedException {
      Key key = key(request);
      while (true) {
        CompletableFuture<ModelAnswer.@Nullable Success> own = new CompletableFuture<>();
        CompletableFuture<ModelAnswer.@Nullable Success> earlier = answers.putIfAbsent(key, own);
        if (earlier == null) {
          return make(key, own, request);
        }
        ModelAnswer.Success shared = Futures.result(earlier);
        if (shared != null) {
          saved.add(shared.cost());
          return shared;
        }
      }
    }

    /** USD of the answers that this sample did not pay for. */
    double saved() {
      return saved.sum();
    }

    private Key key(ModelRequest request) {
      String hash = RequestHash.of(request);
      synchronized (calls) {
        int ordinal = calls.merge(hash, 1, Integer::sum);
        String atTier = request.model() + " " + hash;
        return new Key(task.round(), task.exampleId(), atTier, ordinal);
      }
    }

    private ModelAnswer make(
        Key key, CompletableFuture<ModelAnswer.@Nullable Success> own, ModelRequest request)
        throws InterruptedException {
      ModelAnswer.Success success = null;
      try {
        ModelAnswer answer = next.call(request);
        success = answer instanceof ModelAnswer.Success known ? known : null;
        return answer;
      } finally {
        if (success == null) {
          answers.remove(key);
        }
        own.complete(success);
      }
    }
  }
}

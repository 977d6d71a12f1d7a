package dev.abacus.topology.answer;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.AnswerReuse;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Answers a request from the store or from an identical call in flight, without cost and without
 * attempts. Otherwise calls, and stores a success. If a call in flight fails, the requests that
 * waited for it make calls of their own.
 */
record StoredAnswerClient(
    ModelClient next, AnswerStore store, String program, BooleanSupplier affordable)
    implements ModelClient {

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    store.count(program, AnswerReuse.REQUEST);
    String key = store.key(request);
    if (key == null) {
      return next.call(request);
    }
    long start = System.nanoTime();
    while (true) {
      ModelAnswer.Success known = store.find(key);
      if (known != null) {
        return saved(known, start);
      }
      AnswerFlight mine = new AnswerFlight(affordable);
      AnswerFlight flight = store.join(key, mine);
      if (flight.equals(mine)) {
        return lead(request, key, mine, start);
      }
      ModelAnswer other;
      try {
        other = flight.await();
      } catch (CancellationException e) {
        continue; // The call was not made; this request may make it.
      }
      return other instanceof ModelAnswer.Success answer
          ? saved(answer, start)
          : callAndStore(request, key);
    }
  }

  private ModelAnswer lead(ModelRequest request, String key, AnswerFlight mine, long start)
      throws InterruptedException {
    try {
      // The former flight may have landed between the look into the store and the start.
      ModelAnswer.Success known = store.find(key);
      ModelAnswer answer = known == null ? callAndStore(request, key) : known;
      mine.outcome().complete(answer);
      return known == null ? answer : saved(known, start);
    } finally {
      store.leave(key, mine);
      mine.outcome().cancel(false);
    }
  }

  private ModelAnswer callAndStore(ModelRequest request, String key) throws InterruptedException {
    long started = store.position();
    ModelAnswer answer = next.call(request);
    if (answer instanceof ModelAnswer.Success success) {
      store.store(key, success, started);
    }
    return answer;
  }

  /** The answer as this document gets it: the call of another one paid for it. */
  private ModelAnswer saved(ModelAnswer.Success answer, long start) {
    long tokens = answer.tokens().total();
    store.count(program, AnswerReuse.ofSaved(tokens, answer.cost()));
    return new ModelAnswer.Success(
        answer.text(),
        new ExecutionStats(0, (System.nanoTime() - start) / 1e9, 0, TokenCounts.ofStored(tokens)),
        answer.logprobs());
  }

  @Override
  public void discard(ModelRequest request) {
    String key = store.key(request);
    if (key != null) {
      store.discard(key);
    }
    next.discard(request);
  }
}

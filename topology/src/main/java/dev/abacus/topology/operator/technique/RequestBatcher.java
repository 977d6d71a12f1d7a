package dev.abacus.topology.operator.technique;

import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Brings together requests that ask the same of different documents, from all threads of the
 * process. The first one opens a batch and waits for others, as long as the patience lasts; a full
 * batch leaves at once.
 */
final class RequestBatcher {

  /** Little beside the time that a call takes, enough to fill batches under load. */
  static final Duration DEFAULT_PATIENCE = Duration.ofMillis(25);

  /**
   * What may share a call.
   *
   * @param endpoint compared by identity, as clients are
   * @param system says the operator, and the technique's form of it
   */
  private record Key(ModelClient endpoint, String model, String system, int size) {}

  private final Duration patience;
  private final Map<Key, RequestBatch> open = new HashMap<>();

  RequestBatcher(Duration patience) {
    this.patience = patience;
  }

  /**
   * The answer to one request, which is asked together with others.
   *
   * @param size most requests of a batch
   * @return the part of the batch's answer that belongs to the request, with its share of the cost
   * @throws InterruptedException if the thread is interrupted; the others of the batch go on
   */
  ModelAnswer call(ModelClient endpoint, int size, ModelRequest request)
      throws InterruptedException {
    Key key = new Key(endpoint, request.model(), request.system(), size);
    RequestBatch.Seat seat = new RequestBatch.Seat(request);
    return join(key, seat).await(seat);
  }

  private synchronized RequestBatch join(Key key, RequestBatch.Seat seat) {
    RequestBatch waiting = open.get(key);
    if (waiting != null && waiting.join(seat)) {
      return waiting;
    }
    RequestBatch batch = new RequestBatch(key.endpoint(), key.size());
    batch.join(seat);
    open.put(key, batch);
    batch.start(patience, () -> left(key, batch));
    return batch;
  }

  private synchronized void left(Key key, RequestBatch batch) {
    open.remove(key, batch);
  }
}

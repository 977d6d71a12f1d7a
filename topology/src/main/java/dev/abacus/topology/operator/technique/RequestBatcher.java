package dev.abacus.topology.operator.technique;

import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Collects requests that differ only in their documents, from all threads of the process. The first
 * request opens a batch; the call starts when the batch is full or the waiting time is over.
 */
final class RequestBatcher {

  /** Short compared with a call, and long enough to fill batches under load. */
  static final Duration DEFAULT_MAX_WAIT = Duration.ofMillis(25);

  /**
   * Requests with equal keys share a call.
   *
   * @param endpoint compared by identity
   * @param system the system message, which identifies the operator
   */
  private record Key(ModelClient endpoint, String model, String system, int size) {}

  private final Duration maxWait;
  private final Map<Key, RequestBatch> open = new HashMap<>();

  RequestBatcher(Duration maxWait) {
    this.maxWait = maxWait;
  }

  /**
   * Sends one request together with others.
   *
   * @param size the maximum number of requests of a batch
   * @return the answer to this request, with its share of the cost
   * @throws InterruptedException if the thread is interrupted; the call for the others continues
   */
  ModelAnswer call(ModelClient endpoint, int size, ModelRequest request)
      throws InterruptedException {
    Key key = new Key(endpoint, request.model(), request.system(), size);
    RequestBatch.Entry entry = new RequestBatch.Entry(request);
    return join(key, entry).await(entry);
  }

  private synchronized RequestBatch join(Key key, RequestBatch.Entry entry) {
    RequestBatch waiting = open.get(key);
    if (waiting != null && waiting.add(entry)) {
      return waiting;
    }
    RequestBatch batch = new RequestBatch(key.endpoint(), key.size());
    batch.add(entry);
    open.put(key, batch);
    batch.start(maxWait, () -> close(key, batch));
    return batch;
  }

  private synchronized void close(Key key, RequestBatch batch) {
    open.remove(key, batch);
  }
}

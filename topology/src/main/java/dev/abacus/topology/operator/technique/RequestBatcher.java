package dev.abacus.topology.operator.technique;

import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.operator.BatchListener;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects requests that differ only in their documents, from all threads of the process. The first
 * request opens a batch; the call starts when the batch is full or the waiting time is over. The
 * requests of a {@linkplain BatchListener.Group group} wait for each other, and for no others.
 */
final class RequestBatcher {

  /** Short compared with a call, and long enough to fill batches under load. */
  static final Duration DEFAULT_MAX_WAIT = Duration.ofMillis(25);

  /**
   * The most that a request waits for the others of its group: they are read from one partition and
   * start together, unless fewer documents may be in flight.
   */
  private static final Duration GROUP_MAX_WAIT = Duration.ofSeconds(5);

  /**
   * Requests with equal keys share a call.
   *
   * @param endpoint compared by identity
   * @param system the system message, which identifies the operator
   * @param group id of the group; null for none
   */
  private record Key(
      ModelClient endpoint, String model, String system, int size, @Nullable String group) {}

  private final Duration maxWait;
  private final Map<Key, RequestBatch> open = new HashMap<>();

  RequestBatcher(Duration maxWait) {
    this.maxWait = maxWait;
  }

  /**
   * Sends one request together with others, and tells the {@link BatchListener} of this thread.
   *
   * @param most the maximum number of requests of a batch without a group
   * @return the answer to this request, with its share of the cost
   * @throws InterruptedException if the thread is interrupted; the call for the others continues
   */
  ModelAnswer call(ModelClient endpoint, int most, ModelRequest request)
      throws InterruptedException {
    BatchListener listener = BatchListener.current();
    BatchListener.Group group = listener.group();
    Key key =
        group == null
            ? new Key(endpoint, request.model(), request.system(), most, null)
            : new Key(endpoint, request.model(), request.system(), group.documents(), group.id());
    RequestBatch.Entry entry = new RequestBatch.Entry(request);
    RequestBatch.Shared shared = join(key, entry).await(entry);
    listener.called(shared.documents(), shared.instruction());
    return shared.answer();
  }

  private synchronized RequestBatch join(Key key, RequestBatch.Entry entry) {
    RequestBatch waiting = open.get(key);
    if (waiting != null && waiting.add(entry)) {
      return waiting;
    }
    RequestBatch batch = new RequestBatch(key.endpoint(), key.size(), maxWait);
    batch.add(entry);
    open.put(key, batch);
    batch.start(key.group() == null ? maxWait : longer(), () -> close(key, batch));
    return batch;
  }

  private Duration longer() {
    return maxWait.compareTo(GROUP_MAX_WAIT) > 0 ? maxWait : GROUP_MAX_WAIT;
  }

  private synchronized void close(Key key, RequestBatch batch) {
    open.remove(key, batch);
  }
}

package dev.abacus.topology.stateful.join;

import dev.abacus.topology.codec.PairHeaders;
import dev.abacus.topology.codec.Watermark;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Ends a left join that a model decides: lets matched pairs through, and a left document of which
 * no pair matched. That is known once its window has passed and the answers about all its pairs are
 * there, which the mark behind them says.
 *
 * <p>A pair that failed is a dead letter; its left document counts as matched, because nobody knows
 * that it is not.
 */
public final class UnmatchedProcessor extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  private final String store;
  private final List<String> children;
  private @Nullable JoinBuffer found;

  public UnmatchedProcessor(String store, List<String> children) {
    this.store = store;
    this.children = List.copyOf(children);
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    KeyValueStore<Bytes, byte[]> state = context.getStateStore(store);
    found = new JoinBuffer(state);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    JoinBuffer buffer = Objects.requireNonNull(found, "process before init");
    if (Watermark.is(record.value(), record.headers())) {
      forward(record);
      return;
    }
    Long ended = PairHeaders.noMorePairs(record.headers());
    Long pair = PairHeaders.pair(record.headers());
    if (pair != null) {
      buffer.markFound(pair);
    }
    if (record.value() != null && (ended == null || !buffer.takeFound(ended))) {
      forward(record.withHeaders(withoutMarks(record.headers())));
    }
  }

  private void forward(Record<byte[], byte[]> record) {
    children.forEach(
        child -> context().forward(record.withHeaders(new RecordHeaders(record.headers())), child));
  }

  private static RecordHeaders withoutMarks(Iterable<Header> headers) {
    RecordHeaders rest = new RecordHeaders();
    headers.forEach(header -> {
      if (!PairHeaders.isMark(header)) {
        rest.add(header);
      }
    });
    return rest;
  }
}

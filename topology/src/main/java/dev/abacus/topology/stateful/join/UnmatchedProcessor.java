package dev.abacus.topology.stateful.join;

import dev.abacus.topology.codec.PairHeaders;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.stateful.time.OperatorStore;
import dev.abacus.topology.stateful.time.StatefulContext;
import java.util.List;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The end of a left join whose pairs a model decides. It forwards the pairs that match, and a left
 * document of which no pair matches. The latter is known when the end marker of the left document
 * arrives, which leaves the segment behind all pairs of the document.
 *
 * <p>A pair that failed arrives without a value. Its left document counts as matched, because it is
 * unknown whether it is unmatched.
 */
public final class UnmatchedProcessor implements Processor<byte[], byte[], byte[], byte[]> {

  /** The store of the matched documents. */
  public static final List<OperatorStore<?, ?>> STORES = List.of(StreamJoinProcessor.MATCHED);

  private final List<String> children;
  private final ProcessorContext<byte[], byte[]> context;
  private final KeyValueStore<Long, Boolean> matched;

  public UnmatchedProcessor(StatefulContext operator, ProcessorContext<byte[], byte[]> context) {
    this.children = operator.children();
    this.context = context;
    this.matched = StreamJoinProcessor.MATCHED.open(operator, context);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (Watermark.is(record.value(), record.headers()) || matches(record)) {
      PairHeaders.removeFrom(record.headers());
      for (String child : children) {
        context.forward(record.withHeaders(record.headers()), child);
      }
    }
  }

  /** Keeps track of a pair or end marker; returns whether the join outputs the record. */
  private boolean matches(Record<byte[], byte[]> record) {
    Long pair = PairHeaders.pair(record.headers());
    if (pair != null) {
      matched.put(pair, true);
    }
    Long ended = PairHeaders.noMorePairs(record.headers());
    return record.value() != null && (ended == null || matched.delete(ended) == null);
  }
}

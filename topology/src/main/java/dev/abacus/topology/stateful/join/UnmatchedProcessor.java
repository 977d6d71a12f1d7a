package dev.abacus.topology.stateful.join;

import dev.abacus.topology.codec.PairHeaders;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.stateful.time.StatefulContext;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The end of a left join whose pairs a model decides. It forwards the pairs that match, and a left
 * document of which no pair matches. The latter is known when the end marker of the left document
 * arrives, which leaves the segment behind all pairs of the document.
 *
 * <p>A pair that failed arrives without a value. Its left document counts as matched, because it is
 * unknown whether it is unmatched.
 */
public final class UnmatchedProcessor extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  private final StatefulContext operator;
  private @Nullable MatchedDocuments matched;

  public UnmatchedProcessor(StatefulContext operator) {
    this.operator = operator;
  }

  /** The store of the matched documents. */
  public static Set<StoreBuilder<?>> stores(StatefulContext operator) {
    return Set.of(MatchedDocuments.builder(operator));
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    matched = MatchedDocuments.open(context, operator);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (Watermark.is(record.value(), record.headers()) || matches(record)) {
      PairHeaders.removeFrom(record.headers());
      for (String child : operator.children()) {
        context().forward(record.withHeaders(record.headers()), child);
      }
    }
  }

  /** Keeps track of a pair or end marker; returns whether the join outputs the record. */
  private boolean matches(Record<byte[], byte[]> record) {
    MatchedDocuments documents = Objects.requireNonNull(matched, "process before init");
    Long pair = PairHeaders.pair(record.headers());
    if (pair != null) {
      documents.add(pair);
    }
    Long ended = PairHeaders.noMorePairs(record.headers());
    return record.value() != null && (ended == null || !documents.remove(ended));
  }
}

package dev.abacus.topology.stateful.join;

import dev.abacus.topology.stateful.time.StatefulContext;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/** The numbers of left documents of a left join that have found a partner. */
record MatchedDocuments(KeyValueStore<Long, Boolean> numbers) {

  private static final String MATCHED = "matched";

  static StoreBuilder<?> builder(StatefulContext operator) {
    return operator.storeBuilder(MATCHED, Serdes.Long(), Serdes.Boolean());
  }

  /** Opens the store of a task. */
  static MatchedDocuments open(ProcessorContext<?, ?> context, StatefulContext operator) {
    return new MatchedDocuments(context.getStateStore(operator.store(MATCHED)));
  }

  void add(long number) {
    numbers.put(number, true);
  }

  /** Removes a document that finds no partner any more; returns whether it has found one. */
  boolean remove(long number) {
    return numbers.delete(number) != null;
  }
}

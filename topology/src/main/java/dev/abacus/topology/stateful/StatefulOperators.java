package dev.abacus.topology.stateful;

import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.stateful.aggregate.AggregateProcessor;
import dev.abacus.topology.stateful.join.StreamJoinProcessor;
import dev.abacus.topology.stateful.join.UnmatchedProcessor;
import dev.abacus.topology.stateful.limit.LimitProcessor;
import dev.abacus.topology.stateful.time.RepartitionKey;
import dev.abacus.topology.stateful.time.StatefulContext;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Puts stateful operators into a topology. A stateful operator {@code x} has an entrance {@code
 * x-in-0} (a join of streams {@code x-in-1} too), the internal topic {@code x-repartition}, and the
 * processor {@code stateful operator-x}.
 */
public final class StatefulOperators {

  private final InternalTopics topology;
  private final String program;
  private final int recordLimit;
  private final ProgramCounters counters;
  private final InstantSource clock;
  private final StoreFactory stores;

  /**
   * Stateful operators of one program.
   *
   * @param recordLimit bytes of a record above which the next stage refuses it
   */
  public StatefulOperators(
      InternalTopics topology,
      String program,
      int recordLimit,
      ProgramCounters counters,
      InstantSource clock,
      StoreFactory stores) {
    this.topology = topology;
    this.program = program;
    this.recordLimit = recordLimit;
    this.counters = counters;
    this.clock = clock;
    this.stores = stores;
  }

  /** The node that documents are sent to for an input of a stateful operator. */
  public static String entrance(String operator, int side) {
    return operator + "-in-" + side;
  }

  /** The node that a stateful operator's documents come from. */
  public static String node(String operator) {
    return "stateful-" + operator;
  }

  /**
   * Whether a stateful operator needs all documents in one place.
   *
   * @throws IllegalArgumentException if the operator is no stateful operator
   */
  public static boolean needsOnePartition(LogicalOperator operator) {
    return switch (operator) {
      case Limit _ -> true;
      case Aggregate aggregate -> aggregate.by().isEmpty();
      case StreamJoin join -> join.on() == null;
      case LogicalOperator other ->
          throw new IllegalArgumentException("'" + other.id() + "' is not a stateful operator");
    };
  }

  /**
   * Adds a stateful operator.
   *
   * @param parents for each input, the node that its documents come from
   * @param channels for each input, how many partitions watermarks come from
   * @param partitions of its own topic
   * @param children nodes that its documents go to; they are added later
   * @param deadLetters name of its sink of dead letters, which is added later
   */
  public void add(
      LogicalOperator operator,
      List<String> parents,
      List<Integer> channels,
      int partitions,
      List<String> children,
      String deadLetters) {
    String id = operator.id();
    String topic = id + "-repartition";
    String counted = id + "-counted";
    for (int i = 0; i < parents.size(); i++) {
      int side = i;
      Supplier<Processor<byte[], byte[], byte[], byte[]>> entrance =
          () -> new RepartitionProcessor(operator, side, counted, counters);
      topology.addProcessor(entrance(id, side), entrance::get, parents.get(side));
      if (operator instanceof Limit) {
        topology.addStateStore(store(counted), entrance(id, side));
      }
    }
    String[] entrances =
        java.util.stream.IntStream.range(0, parents.size())
            .mapToObj(side -> entrance(id, side))
            .toArray(String[]::new);
    ByteArraySerializer writing = new ByteArraySerializer();
    ByteArrayDeserializer reading = new ByteArrayDeserializer();
    topology.addTopic(topic, partitions);
    topology.addSink(
        id + "-out", topic, writing, writing, new RepartitionKey.Partitioner(), entrances);
    topology.addSource(id + "-from", reading, reading, topic);
    String state = id + "-state";
    StatefulContext context =
        new StatefulContext(
            program, id, state, channels, children, deadLetters, recordLimit, counters, clock);
    topology.addProcessor(node(id), () -> processor(operator, context), id + "-from");
    topology.addStateStore(store(state), node(id));
  }

  private static Processor<byte[], byte[], byte[], byte[]> processor(
      LogicalOperator operator, StatefulContext context) {
    return switch (operator) {
      case Limit limit -> new LimitProcessor(limit, context);
      case Aggregate aggregate -> new AggregateProcessor(aggregate, context);
      case StreamJoin join -> new StreamJoinProcessor(join, context);
      case LogicalOperator other ->
          throw new IllegalArgumentException("'" + other.id() + "' is not a stateful operator");
    };
  }

  /** Adds what ends a left join that a model decides; see {@link UnmatchedProcessor}. */
  public void addUnmatched(String name, String parent, List<String> children) {
    String found = name + "-found";
    topology.addProcessor(name, () -> new UnmatchedProcessor(found, children), parent);
    topology.addStateStore(store(found), name);
  }

  private StoreBuilder<KeyValueStore<Bytes, byte[]>> store(String name) {
    return Stores.keyValueStoreBuilder(stores.store(name), Serdes.Bytes(), Serdes.ByteArray())
        .withCachingEnabled();
  }
}

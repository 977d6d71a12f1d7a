package dev.abacus.topology.stateful;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.aggregate.GroupKey;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.runtime.FreshProcessor;
import dev.abacus.topology.stateful.aggregate.AggregateProcessor;
import dev.abacus.topology.stateful.join.StreamJoinProcessor;
import dev.abacus.topology.stateful.join.UnmatchedProcessor;
import dev.abacus.topology.stateful.limit.LimitProcessor;
import dev.abacus.topology.stateful.limit.LocalLimitProcessor;
import dev.abacus.topology.stateful.limit.OrderedLimitProcessor;
import dev.abacus.topology.stateful.time.OperatorStore;
import dev.abacus.topology.stateful.time.RepartitionKey;
import dev.abacus.topology.stateful.time.StatefulContext;
import dev.abacus.topology.stateful.time.StatefulServices;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * Adds stateful operators to a topology. The operator {@code x} consists of these nodes:
 *
 * <pre>
 *   x-in-0 ──┐
 *            ├──► (x-repartition) ──► stateful-x ──► children, dead letters
 *   x-in-1 ──┘
 * </pre>
 *
 * <p>Only a join has a second input. The stores of {@code x}, and with them their changelog topics,
 * are named {@code x-purpose}.
 */
public record StatefulOperators(StatefulServices services) {

  /**
   * One input of an operator.
   *
   * @param stream envelopes and watermarks
   * @param channels number of tasks that send watermarks
   */
  public record Input(KStream<byte[], byte[]> stream, int channels) {}

  /**
   * Where the records of an operator go.
   *
   * @param children nodes that take documents and watermarks; the caller adds them to the stream
   * @param deadLetters node that takes dead letters; the caller adds it to the stream
   */
  public record Outputs(List<String> children, String deadLetters) {}

  /** Name of the node that an operator's documents come from. */
  private static String node(String operator) {
    return "stateful-" + operator;
  }

  /** Name of the node that takes the documents of an input. */
  public static String inputNode(String operator, int side) {
    return operator + "-in-" + side;
  }

  /**
   * Whether an operator must see all documents in one partition.
   *
   * @throws IllegalArgumentException if the operator is not stateful
   */
  public static boolean needsOnePartition(LogicalOperator operator) {
    return switch (operator) {
      case Limit _ -> true;
      case Aggregate aggregate -> aggregate.by().isEmpty();
      case StreamJoin join -> join.on() == null;
      case LogicalOperator other -> throw notStateful(other);
    };
  }

  /**
   * Adds an operator.
   *
   * @param partitions number of partitions of its repartition topic
   * @return the operator's outputs
   * @throws IllegalArgumentException if the operator is not stateful
   */
  public KStream<byte[], byte[]> add(
      LogicalOperator operator, List<Input> inputs, int partitions, Outputs outputs) {
    StatefulContext context =
        new StatefulContext(
            operator.id(),
            inputs.stream().map(Input::channels).toList(),
            outputs.children(),
            outputs.deadLetters(),
            services);
    KStream<RepartitionKey, Envelope> keyed = keyed(operator, context, inputs.getFirst(), 0);
    for (int side = 1; side < inputs.size(); side++) {
      keyed =
          keyed.merge(
              keyed(operator, context, inputs.get(side), side),
              Named.as(operator.id() + "-inputs"));
    }
    return keyed
        .repartition(
            Repartitioned.<RepartitionKey, Envelope>as(operator.id())
                .withKeySerde(RepartitionKey.SERDE)
                .withValueSerde(Envelope.SERDE)
                .withNumberOfPartitions(partitions)
                .withStreamPartitioner(new RepartitionKey.Partitioner()))
        .process(processor(operator, context), Named.as(node(operator.id())));
  }

  private KStream<RepartitionKey, Envelope> keyed(
      LogicalOperator operator, StatefulContext context, Input input, int side) {
    String node = inputNode(operator.id(), side);
    Function<Document, Bytes> group = group(operator);
    ProcessorSupplier<byte[], byte[], RepartitionKey, Envelope> repartition =
        () -> new RepartitionProcessor(side, group, services);
    if (operator instanceof Limit limit && !limit.isOrdered()) {
      ProcessorSupplier<byte[], byte[], byte[], byte[]> local =
          new Supplied<>(
              context,
              LocalLimitProcessor.STORES,
              task -> new LocalLimitProcessor(limit, context, task));
      return input.stream()
          .process(local, Named.as(node))
          .process(repartition, Named.as(node + "-key"));
    }
    return input.stream().process(repartition, Named.as(node));
  }

  /** Which documents an operator needs in one partition. */
  private static Function<Document, Bytes> group(LogicalOperator operator) {
    return switch (operator) {
      case Aggregate aggregate ->
          document -> Bytes.wrap(GroupKey.bytes(GroupKey.of(document, aggregate.by())));
      case StreamJoin join when join.on() != null -> {
        List<String> on = List.of(join.on());
        yield document -> {
          // A missing value equals nothing; the join handles the empty group.
          ArrayNode value = GroupKey.of(document, on);
          return value.get(0).isNull()
              ? StreamJoinProcessor.NO_GROUP
              : Bytes.wrap(GroupKey.bytes(value));
        };
      }
      case LogicalOperator _ -> document -> StreamJoinProcessor.NO_GROUP;
    };
  }

  private static ProcessorSupplier<RepartitionKey, Envelope, byte[], byte[]> processor(
      LogicalOperator operator, StatefulContext context) {
    return switch (operator) {
      case Limit limit when limit.isOrdered() ->
          new Supplied<>(
              context,
              OrderedLimitProcessor.STORES,
              task -> new OrderedLimitProcessor(limit, context, task));
      case Limit limit ->
          new Supplied<>(
              context, LimitProcessor.STORES, task -> new LimitProcessor(limit, context, task));
      case Aggregate aggregate ->
          new Supplied<>(
              context,
              AggregateProcessor.STORES,
              task -> new AggregateProcessor(aggregate, context, task));
      case StreamJoin join ->
          new Supplied<>(
              context,
              StreamJoinProcessor.STORES,
              task -> new StreamJoinProcessor(join, context, task));
      case LogicalOperator other -> throw notStateful(other);
    };
  }

  /**
   * Adds the end of a left join whose pairs a model decides; see {@link UnmatchedProcessor}.
   *
   * @param name of the node, and prefix of its store
   * @param pairs the decided pairs
   */
  public KStream<byte[], byte[]> addUnmatched(
      String name, KStream<byte[], byte[]> pairs, List<String> children) {
    StatefulContext context = new StatefulContext(name, List.of(), children, "", services);
    return pairs.process(
        new Supplied<>(
            context, UnmatchedProcessor.STORES, task -> new UnmatchedProcessor(context, task)),
        Named.as(name));
  }

  private static IllegalArgumentException notStateful(LogicalOperator operator) {
    return new IllegalArgumentException("'%s' is not a stateful operator".formatted(operator.id()));
  }

  /** Supplies processors that are connected to stores. */
  private record Supplied<KI, VI, KO, VO>(
      StatefulContext operator,
      List<OperatorStore<?, ?>> needed,
      Function<ProcessorContext<KO, VO>, Processor<KI, VI, KO, VO>> create)
      implements ProcessorSupplier<KI, VI, KO, VO> {

    @Override
    public Processor<KI, VI, KO, VO> get() {
      return new FreshProcessor<>(create);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      return needed.stream().map(store -> store.builder(operator)).collect(Collectors.toSet());
    }
  }
}

package dev.abacus.topology.stateful.aggregate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Aggregate.LateDocuments;
import dev.abacus.schemas.program.Computation;
import dev.abacus.schemas.program.aggregate.Accumulator;
import dev.abacus.schemas.program.aggregate.GroupDocument;
import dev.abacus.schemas.program.aggregate.GroupKey;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.runtime.ImmutableHeader;
import dev.abacus.topology.stateful.time.EventTimeProcessor;
import dev.abacus.topology.stateful.time.OperatorStore;
import dev.abacus.topology.stateful.time.RepartitionKey;
import dev.abacus.topology.stateful.time.RepartitionKey.DocumentKey;
import dev.abacus.topology.stateful.time.Slice;
import dev.abacus.topology.stateful.time.StatefulContext;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Groups documents by window and by fields, and forwards one document per group when its window
 * closes in event time. If a model writes about the group, a segment behind this processor calls
 * it, with the group's {@code members}.
 *
 * <p>Computations are updated with each document. Members are stored only if a model or a list
 * needs them, and only with the fields that it needs.
 */
public final class AggregateProcessor extends EventTimeProcessor {

  /** Sessions that may become one, since the state of a session lists them. */
  private static final int MOST_RUNS = 5_000;

  private static final String GROUP_TOO_LARGE = "GroupTooLarge";

  /** The stores of an aggregate. */
  public static final List<OperatorStore<?, ?>> STORES =
      List.of(WATERMARKS, PaneStore.PANES, PaneStore.CLOSINGS, PaneStore.MEMBERS);

  private final Aggregate aggregate;
  private final WindowAssigner windows;
  private final GroupDocument documents;
  private final PaneOutput output;
  private final PaneStore panes;

  public AggregateProcessor(
      Aggregate aggregate, StatefulContext operator, ProcessorContext<byte[], byte[]> context) {
    super(operator, context);
    this.aggregate = aggregate;
    this.windows = new WindowAssigner(aggregate.window());
    this.documents = new GroupDocument(aggregate);
    this.output = new PaneOutput(documents, operator.services().sizes());
    this.panes = new PaneStore(operator, context, windows);
  }

  @Override
  protected void onDocument(DocumentKey key, Record<RepartitionKey, Envelope> record) {
    Envelope envelope = record.value();
    String problem = problem(envelope.document());
    if (problem != null) {
      deadLetter(record, "NotANumber", problem);
      return;
    }
    ArrayNode group = GroupKey.of(envelope.document(), aggregate.by());
    String large = large(group);
    if (large != null) {
      deadLetter(record, GROUP_TOO_LARGE, large);
      return;
    }
    boolean onTime =
        windows.sessions()
            ? addToSession(group, record)
            : addToWindows(group, record.timestamp(), envelope);
    if (!onTime) {
      late(record);
    }
  }

  private @Nullable String problem(Document document) {
    return computations().stream()
        .map(computation -> Accumulator.problem(computation, document))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /** The result of a group has the values as its key and in its document, besides the others. */
  private @Nullable String large(ArrayNode group) {
    int size = GroupKey.size(group);
    int limit = services().sizes().limit() / 4;
    return size <= limit
        ? null
        : "'%s' groups by %s, whose values have %d bytes; they may have %d, a quarter of abacus.document.max.bytes"
            .formatted(aggregate.id(), aggregate.by(), size, limit);
  }

  private void late(Record<RepartitionKey, Envelope> record) {
    if (aggregate.late() == LateDocuments.DROP) {
      services().countDropped(record.value());
    } else {
      deadLetterOfLate(record);
    }
  }

  /** Adds a document to its open windows; false if all are closed. */
  private boolean addToWindows(ArrayNode group, long timestamp, Envelope envelope) {
    boolean added = false;
    for (long start : windows.starts(timestamp)) {
      long end = windows.end(start);
      if (windows.closes(end) > eventTime()) {
        Pane open = panes.find(PaneKey.of(group, start));
        panes.put(withMember(open == null ? emptyPane(group, start, end) : open, envelope));
        added = true;
      }
    }
    return added;
  }

  /** Adds a document to its session and merges the sessions that it connects; false if closed. */
  private boolean addToSession(ArrayNode group, Record<RepartitionKey, Envelope> record) {
    long timestamp = record.timestamp();
    if (windows.closes(timestamp) <= eventTime()) {
      return false;
    }
    List<Pane> near =
        panes.ofGroup(PaneKey.of(group, 0).group()).stream()
            .filter(other ->
                windows.closes(other.end()) > eventTime() // a due one is as good as closed
                    && other.start() - windows.gap() <= timestamp
                    && timestamp <= other.end() + windows.gap())
            .toList();
    if (near.stream().mapToInt(session -> session.runs().size()).sum() > MOST_RUNS) {
      deadLetter(
          record,
          GROUP_TOO_LARGE,
          "it connects sessions of '%s' that more than %d sessions have become"
              .formatted(aggregate.id(), MOST_RUNS));
      return true;
    }
    near.forEach(panes::remove);
    Pane session =
        near.stream()
            .reduce((first, second) -> first.merge(second, computations()))
            .map(merged -> merged.reaching(timestamp))
            .orElseGet(() -> emptyPane(group, timestamp, timestamp));
    panes.put(withMember(session, record.value()));
    return true;
  }

  private Pane emptyPane(ArrayNode group, long start, long end) {
    return Pane.empty(group, start, end, panes.newRun(), computations().size());
  }

  private Pane withMember(Pane pane, Envelope envelope) {
    int size = 0;
    if (documents.needsMembers()) {
      Document member = documents.member(envelope.document());
      size = member.toBytes().length + 1; // and a comma
      panes.addMember(pane, member);
    }
    Usage usage = envelope.provenance().usage();
    return pane.plus(envelope.document(), size, usage, computations());
  }

  @Override
  protected boolean advance(long time, Slice slice) {
    return panes.closeDue(time, slice, this::emit);
  }

  @Override
  protected long outputWatermark(long time) {
    return windows.outputWatermark(time);
  }

  private void emit(Pane pane) {
    services().countFlow(aggregate.id(), pane.members(), 1);
    long timestamp = windows.outputTimestamp(pane.end());
    List<Header> window =
        List.of(
            ImmutableHeader.of(Headers.WINDOW_START, Long.toString(pane.start())),
            ImmutableHeader.of(Headers.WINDOW_END, Long.toString(pane.end())));
    output.write(
        pane,
        panes,
        services().clock().instant(),
        group -> forward(group, timestamp, window),
        (part, message) -> deadLetter(part, timestamp, window, GROUP_TOO_LARGE, message));
  }

  private Collection<Computation> computations() {
    return aggregate.compute().values();
  }
}

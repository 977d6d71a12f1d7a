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
import dev.abacus.topology.stateful.time.RepartitionKey;
import dev.abacus.topology.stateful.time.RepartitionKey.DocumentKey;
import dev.abacus.topology.stateful.time.StatefulContext;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
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

  /** Panes that are read at a time, so that many due panes do not fill the memory. */
  private static final int BATCH = 100;

  private final Aggregate aggregate;
  private final WindowAssigner windows;
  private final GroupDocument documents;
  private final PaneOutput output;
  private @Nullable PaneStore panes;

  public AggregateProcessor(Aggregate aggregate, StatefulContext operator) {
    super(operator);
    this.aggregate = aggregate;
    this.windows = new WindowAssigner(aggregate.window());
    this.documents = new GroupDocument(aggregate);
    this.output = new PaneOutput(documents, operator.services().recordLimit());
  }

  /** The stores of an aggregate. */
  public static Set<StoreBuilder<?>> stores(StatefulContext operator) {
    Set<StoreBuilder<?>> stores = new HashSet<>(PaneStore.builders(operator));
    stores.add(watermarkStore(operator));
    return stores;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    panes = PaneStore.open(context, operator(), windows);
  }

  @Override
  protected void onDocument(DocumentKey key, Record<RepartitionKey, Envelope> record) {
    Envelope envelope = record.value();
    String problem = problem(envelope.document());
    if (problem != null) {
      deadLetter(envelope, record.timestamp(), record.headers(), "NotANumber", problem);
      return;
    }
    ArrayNode group = GroupKey.of(envelope.document(), aggregate.by());
    boolean onTime =
        windows.sessions()
            ? addToSession(group, record.timestamp(), envelope)
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

  private void late(Record<RepartitionKey, Envelope> record) {
    if (aggregate.late() == LateDocuments.DROP) {
      services().countDropped(record.value());
      return;
    }
    String message =
        "its timestamp is %d, but the windows of '%s' are closed up to %d"
            .formatted(record.timestamp(), aggregate.id(), eventTime());
    deadLetter(record.value(), record.timestamp(), record.headers(), "LateDocument", message);
  }

  /** Adds a document to its open windows; false if all are closed. */
  private boolean addToWindows(ArrayNode group, long timestamp, Envelope envelope) {
    boolean added = false;
    for (long start : windows.starts(timestamp)) {
      long end = windows.end(start);
      if (windows.closes(end) > eventTime()) {
        Pane open = panes().find(PaneKey.of(group, start));
        panes().put(withMember(open == null ? emptyPane(group, start, end) : open, envelope));
        added = true;
      }
    }
    return added;
  }

  /** Adds a document to its session and merges the sessions that it connects; false if closed. */
  private boolean addToSession(ArrayNode group, long timestamp, Envelope envelope) {
    if (windows.closes(timestamp) <= eventTime()) {
      return false;
    }
    Pane session = emptyPane(group, timestamp, timestamp);
    for (Pane other : panes().ofGroup(session.key().group())) {
      boolean near =
          other.start() - windows.gap() <= timestamp && timestamp <= other.end() + windows.gap();
      if (near) {
        panes().remove(other);
        session = session.merge(other, computations());
      }
    }
    panes().put(withMember(session, envelope));
    return true;
  }

  private Pane emptyPane(ArrayNode group, long start, long end) {
    return Pane.empty(group, start, end, panes().newRun(), computations().size());
  }

  private Pane withMember(Pane pane, Envelope envelope) {
    int size = 0;
    if (documents.needsMembers()) {
      Document member = documents.member(envelope.document());
      size = member.toBytes().length + 1; // and a comma
      panes().addMember(pane, member);
    }
    Usage usage = envelope.provenance().usage();
    return pane.plus(envelope.document(), size, usage, computations());
  }

  @Override
  protected void onEventTime(long time) {
    List<Pane> due = panes().due(time, BATCH);
    while (!due.isEmpty()) {
      for (Pane pane : due) {
        emit(pane);
        services().countFlow(aggregate.id(), pane.members(), 1);
        panes().remove(pane);
        panes().removeMembers(pane);
      }
      due = panes().due(time, BATCH);
    }
    forwardWatermark(windows.outputWatermark(time));
  }

  private void emit(Pane pane) {
    long timestamp = windows.outputTimestamp(pane.end());
    List<Header> window =
        List.of(
            ImmutableHeader.of(Headers.WINDOW_START, Long.toString(pane.start())),
            ImmutableHeader.of(Headers.WINDOW_END, Long.toString(pane.end())));
    PaneOutput.Sink sink =
        new PaneOutput.Sink() {
          @Override
          public void document(Envelope group) {
            forward(group, timestamp, window);
          }

          @Override
          public void part(Envelope part, String message) {
            deadLetter(part, timestamp, window, "GroupTooLarge", message);
          }
        };
    output.write(pane, panes(), services().clock().instant(), sink);
  }

  private Collection<Computation> computations() {
    return aggregate.compute().values();
  }

  private PaneStore panes() {
    return Objects.requireNonNull(panes, "used before init");
  }
}

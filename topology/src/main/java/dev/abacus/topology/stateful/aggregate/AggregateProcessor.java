package dev.abacus.topology.stateful.aggregate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Aggregate.LateDocuments;
import dev.abacus.schemas.program.Computation;
import dev.abacus.schemas.program.aggregate.Accumulator;
import dev.abacus.schemas.program.aggregate.GroupDocument;
import dev.abacus.schemas.program.aggregate.GroupKey;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Provenance;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.stateful.time.EventTimeProcessor;
import dev.abacus.topology.stateful.time.RepartitionKey;
import dev.abacus.topology.stateful.time.StatefulContext;
import dev.abacus.topology.stateful.time.WatermarkTracker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Groups documents by window and by fields, and sends each group on once, when its window closes in
 * event time. What a model is to write about it, a segment behind does: it gets the group with its
 * {@code members}.
 *
 * <p>Sums and the like are kept up to date document by document; members are kept only if a model
 * or a list needs them, and only the fields that are needed.
 */
public final class AggregateProcessor extends EventTimeProcessor<PaneStore> {

  /** Groups that are closed at a time, so that many may be due without filling the memory. */
  private static final int BATCH = 100;

  private static final int ROOM_FOR_HEADERS = 1024;

  private final Aggregate aggregate;
  private final WindowAssigner windows;
  private final GroupDocument documents;

  public AggregateProcessor(Aggregate aggregate, StatefulContext operatorContext) {
    super(operatorContext);
    this.aggregate = aggregate;
    this.windows = new WindowAssigner(aggregate.window());
    this.documents = new GroupDocument(aggregate);
  }

  @Override
  public PaneStore stateIn(KeyValueStore<Bytes, byte[]> store) {
    return new PaneStore(store);
  }

  @Override
  public void take(Record<byte[], byte[]> record, RepartitionKey key) {
    Envelope envelope = Envelope.read(record.value());
    Document document = envelope.document();
    for (Computation computation : aggregate.compute().values()) {
      String problem = Accumulator.problem(computation, document);
      if (problem != null) {
        dead(record, envelope, "NotANumber", problem);
        return;
      }
    }
    ArrayNode values = GroupKey.of(document, aggregate.by());
    boolean taken =
        windows.sessions()
            ? takeIntoSession(record.timestamp(), envelope, values, key.group())
            : takeIntoWindows(record.timestamp(), envelope, values, key.group());
    if (!taken && aggregate.late() == LateDocuments.DROP) {
      operatorContext().leftOut(envelope);
    } else if (!taken) {
      dead(
          record,
          envelope,
          "LateDocument",
          "its timestamp is %d, but the windows of '%s' are closed up to %d"
              .formatted(record.timestamp(), aggregate.id(), time()));
    }
  }

  private boolean takeIntoWindows(
      long timestamp, Envelope envelope, ArrayNode values, byte[] group) {
    boolean taken = false;
    for (long start : windows.starts(timestamp)) {
      long end = windows.end(start);
      if (windows.closes(end) > time()) {
        Pane found = state().find(group, start);
        Pane pane = found == null ? emptyPane(values, start, end) : found;
        state().put(group, add(pane, envelope), windows.closes(end));
        taken = true;
      }
    }
    return taken;
  }

  private boolean takeIntoSession(
      long timestamp, Envelope envelope, ArrayNode values, byte[] group) {
    if (windows.closes(timestamp) <= time()) {
      return false;
    }
    Pane session = emptyPane(values, timestamp, timestamp);
    for (Pane other : state().of(group)) {
      boolean near =
          other.start() - windows.gap() <= timestamp && timestamp <= other.end() + windows.gap();
      if (near) {
        state().remove(group, other, windows.closes(other.end()));
        session = session.plus(other, aggregate.compute().values());
      }
    }
    state().put(group, add(session, envelope), windows.closes(session.end()));
    return true;
  }

  private Pane emptyPane(ArrayNode values, long start, long end) {
    return Pane.empty(values, start, end, state().newRun(), aggregate.compute().size());
  }

  private Pane add(Pane pane, Envelope envelope) {
    int size = 0;
    if (documents.needsMembers()) {
      byte[] member = documents.member(envelope.document()).toBytes();
      size = member.length + 1;
      state().addMember(pane, member);
    }
    return pane.plus(
        envelope.document(), size, envelope.provenance().cost(), aggregate.compute().values());
  }

  @Override
  public void reached(long time) {
    List<PaneStore.Due> due = state().due(time, BATCH);
    while (!due.isEmpty()) {
      for (PaneStore.Due one : due) {
        emit(one.pane());
        state().remove(one.group(), one.pane(), one.closes());
        state().removeMembers(one.pane());
      }
      due = state().due(time, BATCH);
    }
    WatermarkTracker.forward(
        context(),
        new Watermark(context().taskId().partition(), windows.watermarkAfter(time), false),
        operatorContext().children());
  }

  private void emit(Pane pane) {
    byte[] key = GroupKey.output(pane.group());
    Provenance provenance = Provenance.ofGroup(pane.cost(), operatorContext().clock().instant());
    if (pane.bytes() <= operatorContext().recordLimit()) {
      Document document = documents.of(pane.group(), pane.accumulators(), members(pane));
      Envelope envelope = Envelope.ofGroup(key, document, provenance);
      byte[] value = envelope.toBytes();
      if (value.length + key.length + ROOM_FOR_HEADERS <= operatorContext().recordLimit()) {
        long timestamp = windows.outputTime(pane.end());
        operatorContext().forward(context(), envelope, value, timestamp, windowOf(pane));
        return;
      }
    }
    giveBack(pane, key, provenance);
  }

  private List<Document> members(Pane pane) {
    List<Document> members = new ArrayList<>();
    if (documents.needsMembers()) {
      state().members(pane, members::add);
    }
    return members;
  }

  /** What a group that is too large has to say, in as many dead letters as its members need. */
  private void giveBack(Pane pane, byte[] key, Provenance provenance) {
    String size =
        "the group has %d members of %d bytes; a document may have %d (abacus.document.max.bytes)"
            .formatted(pane.members(), pane.bytes(), operatorContext().recordLimit());
    if (!documents.needsMembers()) {
      giveBack(
          pane,
          Envelope.ofGroup(
              key, documents.part(pane.group(), pane.accumulators(), List.of()), provenance),
          size);
      return;
    }
    MemberBatches batches =
        new MemberBatches(
            operatorContext().recordLimit() / 2,
            (first, members) ->
                giveBack(
                    pane,
                    Envelope.ofGroup(
                        key,
                        documents.part(pane.group(), pane.accumulators(), members),
                        provenance),
                    "%s; here are members %d to %d"
                        .formatted(size, first, first + members.size() - 1)));
    state().members(pane, batches::add);
    batches.end();
  }

  private void giveBack(Pane pane, Envelope envelope, String message) {
    long timestamp = windows.outputTime(pane.end());
    operatorContext()
        .dead(context(), envelope, timestamp, windowOf(pane), "GroupTooLarge", message);
  }

  private static RecordHeaders windowOf(Pane pane) {
    RecordHeaders headers = new RecordHeaders();
    header(headers, Headers.WINDOW_START, pane.start());
    header(headers, Headers.WINDOW_END, pane.end());
    return headers;
  }

  private void dead(Record<byte[], byte[]> record, Envelope envelope, String kind, String message) {
    operatorContext()
        .dead(context(), envelope, record.timestamp(), record.headers(), kind, message);
  }

  private static void header(RecordHeaders headers, String name, long value) {
    headers.add(name, Long.toString(value).getBytes(StandardCharsets.UTF_8));
  }
}

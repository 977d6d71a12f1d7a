package dev.abacus.topology.stateful.aggregate;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.aggregate.GroupDocument;
import dev.abacus.schemas.program.aggregate.GroupKey;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Provenance;
import dev.abacus.topology.runtime.RecordSizes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns a closed pane into the document of its group, or into dead letters if the document would be
 * larger than a record may be.
 */
record PaneOutput(GroupDocument documents, RecordSizes sizes) {

  /** Bytes reserved for the headers of an output. */
  private static final int HEADER_BYTES = 1024;

  /** Takes what a pane becomes: one document, or one or more parts. */
  interface Sink {

    void document(Envelope group);

    /** Takes some members of a group that is too large. */
    void part(Envelope part, String message);
  }

  void write(Pane pane, PaneStore panes, Instant now, Sink sink) {
    byte[] key = GroupKey.output(pane.group());
    Provenance provenance = Provenance.ofGroup(pane.usage(), now);
    if (pane.bytes() <= sizes.limit()) {
      List<Document> members = new ArrayList<>();
      if (documents.needsMembers()) {
        panes.forEachMember(pane, members::add);
      }
      Document document = documents.of(pane.group(), pane.accumulators(), members);
      Envelope group = Envelope.ofGroup(key, document, provenance);
      if (group.toBytes().length + key.length + HEADER_BYTES <= sizes.limit()) {
        sink.document(group);
        return;
      }
    }
    writeParts(pane, panes, members -> partOf(pane, key, provenance, members), sink);
  }

  private interface Part {
    Envelope of(List<Document> members);
  }

  private Envelope partOf(Pane pane, byte[] key, Provenance provenance, List<Document> members) {
    return Envelope.ofGroup(
        key, documents.part(pane.group(), pane.accumulators(), members), provenance);
  }

  private void writeParts(Pane pane, PaneStore panes, Part part, Sink sink) {
    String size =
        "the group has %d members of %d bytes; a document may have %d (abacus.document.max.bytes)"
            .formatted(pane.members(), pane.bytes(), sizes.limit());
    if (!documents.needsMembers()) {
      sink.part(part.of(List.of()), size);
      return;
    }
    Batches batches =
        new Batches(
            sizes.limit() / 2,
            (first, members) ->
                sink.part(
                    part.of(members),
                    "%s; this part has members %d to %d"
                        .formatted(size, first, first + members.size() - 1)));
    panes.forEachMember(pane, batches::add);
    batches.flush();
  }

  /** Cuts members into batches of at most a number of bytes; a larger member is a batch alone. */
  private static final class Batches {

    /** Takes a batch and the position of its first member in the group, from 1. */
    interface Consumer {
      void accept(long first, List<Document> members);
    }

    private final int maxBytes;
    private final Consumer consumer;
    private final List<Document> members = new ArrayList<>();
    private long bytes;
    private long first = 1;

    Batches(int maxBytes, Consumer consumer) {
      this.maxBytes = maxBytes;
      this.consumer = consumer;
    }

    void add(Document member) {
      int size = member.toBytes().length;
      if (bytes + size > maxBytes) {
        flush();
      }
      members.add(member);
      bytes += size;
    }

    void flush() {
      if (!members.isEmpty()) {
        consumer.accept(first, List.copyOf(members));
        first += members.size();
        members.clear();
        bytes = 0;
      }
    }
  }
}

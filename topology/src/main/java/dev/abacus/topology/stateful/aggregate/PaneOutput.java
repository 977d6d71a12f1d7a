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
    Parts parts = new Parts(pane, key, provenance, sink);
    if (documents.needsMembers()) {
      panes.forEachMember(pane, parts::add);
      parts.flush();
    } else {
      parts.write(parts.size);
    }
  }

  /** Cuts a pane into parts of at most half a record; a larger member is a part alone. */
  private final class Parts {
    private final Pane pane;
    private final byte[] key;
    private final Provenance provenance;
    private final Sink sink;
    private final String size;
    private final List<Document> members = new ArrayList<>();
    private long bytes;

    /** Position of the first member in the group. */
    private long first = 1;

    Parts(Pane pane, byte[] key, Provenance provenance, Sink sink) {
      this.pane = pane;
      this.key = key;
      this.provenance = provenance;
      this.sink = sink;
      this.size =
          "the group has %d members of %d bytes; a document may have %d (abacus.document.max.bytes)"
              .formatted(pane.members(), pane.bytes(), sizes.limit());
    }

    void add(Document member) {
      int length = member.toBytes().length;
      if (bytes + length > sizes.limit() / 2) {
        flush();
      }
      members.add(member);
      bytes += length;
    }

    void flush() {
      if (!members.isEmpty()) {
        write(
            "%s; this part has members %d to %d"
                .formatted(size, first, first + members.size() - 1));
        first += members.size();
        members.clear();
        bytes = 0;
      }
    }

    void write(String message) {
      Document part = documents.part(pane.group(), pane.accumulators(), List.copyOf(members));
      sink.part(Envelope.ofGroup(key, part, provenance), message);
    }
  }
}

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
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Turns a closed pane into the document of its group, or into dead letters if the document would be
 * larger than a record may be.
 */
record PaneOutput(GroupDocument documents, RecordSizes sizes) {

  /** Bytes reserved for the headers of an output. */
  private static final int HEADER_BYTES = 1024;

  /**
   * Passes on what a pane becomes.
   *
   * @param whole takes the document of a group
   * @param parts takes some members of a group that is too large, with a message
   */
  void write(
      Pane pane,
      PaneStore panes,
      Instant now,
      Consumer<Envelope> whole,
      BiConsumer<Envelope, String> parts) {
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
        whole.accept(group);
        return;
      }
    }
    String size =
        "the group has %d members of %d bytes; a document may have %d (abacus.document.max.bytes)"
            .formatted(pane.members(), pane.bytes(), sizes.limit());
    BiConsumer<List<Document>, String> write =
        (members, message) -> {
          Document part = documents.part(pane.group(), pane.accumulators(), members);
          parts.accept(Envelope.ofGroup(key, part, provenance), message);
        };
    if (documents.needsMembers()) {
      Parts cut = new Parts(size, write);
      panes.forEachMember(pane, cut::add);
      cut.flush();
    } else {
      write.accept(List.of(), size);
    }
  }

  /** Cuts a pane into parts of at most half a record; a larger member is a part alone. */
  private final class Parts {
    private final String size;
    private final BiConsumer<List<Document>, String> write;
    private final List<Document> members = new ArrayList<>();
    private long bytes;

    /** Position of the first member in the group. */
    private long first = 1;

    Parts(String size, BiConsumer<List<Document>, String> write) {
      this.size = size;
      this.write = write;
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
        write.accept(
            List.copyOf(members),
            "%s; this part has members %d to %d"
                .formatted(size, first, first + members.size() - 1));
        first += members.size();
        members.clear();
        bytes = 0;
      }
    }
  }
}

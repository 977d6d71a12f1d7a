package dev.abacus.topology.stateful.aggregate;

import dev.abacus.schemas.document.Document;
import java.util.ArrayList;
import java.util.List;

/** Cuts the members of a group into batches of limited size, in their order. */
public final class MemberBatches {

  private final int bytesPerBatch;
  private final Batch take;
  private final List<Document> members = new ArrayList<>();
  private long bytes;
  private long first = 1;

  /** Takes a batch. */
  @FunctionalInterface
  interface Batch {
    /**
     * Takes some members.
     *
     * @param first the number of the first of them in the group, from 1
     */
    void take(long first, List<Document> members);
  }

  /** Batches of so many bytes at most; a member that is larger is a batch of its own. */
  MemberBatches(int bytesPerBatch, Batch take) {
    this.bytesPerBatch = bytesPerBatch;
    this.take = take;
  }

  void add(Document member) {
    int size = member.toBytes().length;
    if (bytes + size > bytesPerBatch) {
      end();
    }
    members.add(member);
    bytes += size;
  }

  /** Hands out what is left. */
  void end() {
    if (!members.isEmpty()) {
      take.take(first, List.copyOf(members));
      first += members.size();
      members.clear();
      bytes = 0;
    }
  }
}

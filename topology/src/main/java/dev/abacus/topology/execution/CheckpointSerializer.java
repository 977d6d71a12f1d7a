package dev.abacus.topology.execution;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.kafka.BinaryFields;
import dev.abacus.schemas.kafka.BinaryLayout;
import dev.abacus.topology.execution.BranchProgress.Outputs;
import dev.abacus.topology.execution.BranchProgress.Row;
import dev.abacus.topology.model.ExecutionStats;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Converts checkpoints to bytes and back. The format is big endian: version (1 byte), next step
 * (4), calls (4), cost (8), latency (8), tokens by kind (5 × 8), fanned out (1), number of
 * documents (4), then for each document its length (4) and its JSON. Version 4 is that of a segment
 * with branches, or between adjacent filters: the {@link BranchProgress} follows, in which texts
 * and lists begin with their length (4); version 3 has none. If the answer store saved calls, the
 * version has the flag {@code 0x10}, and the tokens of these calls (8) follow the tokens.
 */
public final class CheckpointSerializer {

  private static final byte WITHOUT_BRANCHES = 3;
  private static final byte VERSION = 4;
  private static final byte STORED = 0x10;

  /** The layout; checkpoints of other versions cannot be read. */
  public static final BinaryLayout<Checkpoint> LAYOUT =
      new BinaryLayout<>("checkpoint", CheckpointSerializer::write, CheckpointSerializer::read);

  private CheckpointSerializer() {}

  private static void write(Checkpoint checkpoint, DataOutputStream to) throws IOException {
    ExecutionStats stats = checkpoint.stats();
    TokenCounts tokens = stats.tokens();
    boolean branched = !checkpoint.branches().isEmpty();
    int version = branched ? VERSION : WITHOUT_BRANCHES;
    to.writeByte(tokens.stored() == 0 ? version : version | STORED);
    to.writeInt(checkpoint.nextStep());
    to.writeInt(stats.calls());
    to.writeDouble(stats.cost());
    to.writeDouble(stats.latency());
    tokens.write(to);
    to.writeBoolean(checkpoint.fannedOut());
    to.writeInt(checkpoint.documents().size());
    for (Document document : checkpoint.documents()) {
      BinaryFields.writeBytes(to, document.toBytes());
    }
    if (branched) {
      write(to, checkpoint.branches());
    }
  }

  private static void write(DataOutputStream to, BranchProgress branches) throws IOException {
    to.writeInt(branches.finished().size());
    for (String step : new TreeSet<>(branches.finished())) {
      BinaryFields.writeText(to, step);
    }
    to.writeInt(branches.outputs().size());
    for (Map.Entry<String, Outputs> output : new TreeMap<>(branches.outputs()).entrySet()) {
      BinaryFields.writeText(to, output.getKey());
      to.writeDouble(output.getValue().latency());
      to.writeInt(output.getValue().rows().size());
      for (Row row : output.getValue().rows()) {
        to.writeInt(row.choices().size());
        for (Map.Entry<String, Integer> choice : new TreeMap<>(row.choices()).entrySet()) {
          BinaryFields.writeText(to, choice.getKey());
          to.writeInt(choice.getValue());
        }
        BinaryFields.writeBytes(to, row.document().toBytes());
      }
    }
  }

  private static Checkpoint read(DataInputStream from)
      throws IOException, InvalidDocumentException {
    int flagged = from.readByte();
    int version = flagged & ~STORED;
    if (version != WITHOUT_BRANCHES && version != VERSION) {
      throw new IllegalArgumentException("unknown version " + version);
    }
    int nextStep = from.readInt();
    int calls = from.readInt();
    double cost = from.readDouble();
    double latency = from.readDouble();
    TokenCounts tokens = TokenCounts.read(from, flagged != version);
    ExecutionStats stats = new ExecutionStats(cost, latency, calls, tokens);
    boolean fannedOut = from.readBoolean();
    List<Document> documents = new ArrayList<>();
    for (int left = from.readInt(); left > 0; left--) {
      documents.add(document(from));
    }
    BranchProgress branches = version == VERSION ? branches(from) : BranchProgress.NONE;
    return new Checkpoint(nextStep, documents, fannedOut, stats, branches);
  }

  private static BranchProgress branches(DataInputStream from)
      throws IOException, InvalidDocumentException {
    Set<String> finished = new HashSet<>();
    for (int left = from.readInt(); left > 0; left--) {
      finished.add(BinaryFields.readText(from));
    }
    Map<String, Outputs> outputs = new HashMap<>();
    for (int left = from.readInt(); left > 0; left--) {
      String step = BinaryFields.readText(from);
      double latency = from.readDouble();
      List<Row> rows = new ArrayList<>();
      for (int row = from.readInt(); row > 0; row--) {
        Map<String, Integer> choices = new HashMap<>();
        for (int choice = from.readInt(); choice > 0; choice--) {
          choices.put(BinaryFields.readText(from), from.readInt());
        }
        rows.add(new Row(document(from), choices));
      }
      outputs.put(step, new Outputs(rows, latency));
    }
    return new BranchProgress(finished, outputs);
  }

  private static Document document(DataInputStream from)
      throws IOException, InvalidDocumentException {
    return Document.parse(BinaryFields.readPresent(from));
  }
}

package dev.abacus.topology.execution;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.topology.execution.BranchProgress.Outputs;
import dev.abacus.topology.execution.BranchProgress.Row;
import dev.abacus.topology.operator.ExecutionStats;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
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
 * and lists begin with their length (4). Version 2 has no tokens. In version 1, the JSON of one
 * document follows the latency. If the answer store saved calls, the version has the flag {@code
 * 0x10}, and the tokens of these calls (8) follow the tokens.
 */
public final class CheckpointSerializer {

  private static final byte ONE_DOCUMENT = 1;
  private static final byte WITHOUT_TOKENS = 2;
  private static final byte WITHOUT_BRANCHES = 3;
  private static final byte VERSION = 4;
  private static final byte STORED = 0x10;
  private static final byte[] NONE = new byte[0];
  private static final int HEADER = 2 + 3 * Integer.BYTES + 2 * Double.BYTES + 6 * Long.BYTES;

  private CheckpointSerializer() {}

  /** Serializes a checkpoint. */
  public static byte[] write(Checkpoint checkpoint) {
    List<byte[]> documents = checkpoint.documents().stream().map(Document::toBytes).toList();
    int size = documents.stream().mapToInt(document -> Integer.BYTES + document.length).sum();
    ExecutionStats stats = checkpoint.stats();
    byte[] branches = checkpoint.branches().isEmpty() ? NONE : write(checkpoint.branches());
    int version = branches.length == 0 ? WITHOUT_BRANCHES : VERSION;
    long stored = stats.tokens().stored();
    ByteBuffer buffer =
        ByteBuffer.allocate(HEADER + size + branches.length)
            .put((byte) (stored == 0 ? version : version | STORED))
            .putInt(checkpoint.nextStep())
            .putInt(stats.calls())
            .putDouble(stats.cost())
            .putDouble(stats.latency())
            .putLong(stats.tokens().input())
            .putLong(stats.tokens().cachedInput())
            .putLong(stats.tokens().output())
            .putLong(stats.tokens().reasoning())
            .putLong(stats.tokens().estimated());
    if (stored != 0) {
      buffer.putLong(stored);
    }
    buffer.put((byte) (checkpoint.fannedOut() ? 1 : 0)).putInt(documents.size());
    documents.forEach(document -> buffer.putInt(document.length).put(document));
    buffer.put(branches);
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private static byte[] write(BranchProgress branches) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    // Writes to memory do not fail.
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(branches.finished().size());
      for (String step : new TreeSet<>(branches.finished())) {
        writeBytes(out, step.getBytes(StandardCharsets.UTF_8));
      }
      out.writeInt(branches.outputs().size());
      for (Map.Entry<String, Outputs> output : new TreeMap<>(branches.outputs()).entrySet()) {
        writeBytes(out, output.getKey().getBytes(StandardCharsets.UTF_8));
        out.writeDouble(output.getValue().latency());
        out.writeInt(output.getValue().rows().size());
        for (Row row : output.getValue().rows()) {
          out.writeInt(row.choices().size());
          for (Map.Entry<String, Integer> choice : new TreeMap<>(row.choices()).entrySet()) {
            writeBytes(out, choice.getKey().getBytes(StandardCharsets.UTF_8));
            out.writeInt(choice.getValue());
          }
          writeBytes(out, row.document().toBytes());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void writeBytes(DataOutputStream out, byte[] text) throws IOException {
    out.writeInt(text.length);
    out.write(text);
  }

  /**
   * Deserializes a checkpoint.
   *
   * @throws IllegalArgumentException if the bytes are damaged or have an unknown version
   */
  public static Checkpoint read(byte[] bytes) {
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      int flagged = buffer.get();
      boolean stored = (flagged & STORED) != 0;
      int version = flagged & ~STORED;
      if (version < ONE_DOCUMENT || version > VERSION) {
        throw new IllegalArgumentException("checkpoint of version " + version);
      }
      int nextStep = buffer.getInt();
      int calls = buffer.getInt();
      double cost = buffer.getDouble();
      double latency = buffer.getDouble();
      TokenCounts tokens = version > WITHOUT_TOKENS ? tokens(buffer) : TokenCounts.NONE;
      if (stored) {
        tokens = tokens.plus(TokenCounts.ofStored(buffer.getLong()));
      }
      ExecutionStats stats = new ExecutionStats(cost, latency, calls, tokens);
      if (version == ONE_DOCUMENT) {
        return new Checkpoint(nextStep, document(buffer, buffer.remaining()), stats);
      }
      boolean fannedOut = buffer.get() == 1;
      List<Document> documents = documents(buffer);
      BranchProgress branches = version > WITHOUT_BRANCHES ? branches(buffer) : BranchProgress.NONE;
      return new Checkpoint(nextStep, documents, fannedOut, stats, branches);
    } catch (BufferUnderflowException | InvalidDocumentException e) {
      throw new IllegalArgumentException("damaged checkpoint: " + e.getMessage(), e);
    }
  }

  private static TokenCounts tokens(ByteBuffer buffer) {
    return new TokenCounts(
        buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
  }

  private static BranchProgress branches(ByteBuffer buffer) throws InvalidDocumentException {
    Set<String> finished = new HashSet<>();
    for (int left = buffer.getInt(); left > 0; left--) {
      finished.add(text(buffer));
    }
    Map<String, Outputs> outputs = new HashMap<>();
    for (int left = buffer.getInt(); left > 0; left--) {
      String step = text(buffer);
      double latency = buffer.getDouble();
      List<Row> rows = new ArrayList<>();
      for (int row = buffer.getInt(); row > 0; row--) {
        Map<String, Integer> choices = new HashMap<>();
        for (int choice = buffer.getInt(); choice > 0; choice--) {
          choices.put(text(buffer), buffer.getInt());
        }
        rows.add(new Row(document(buffer, buffer.getInt()), choices));
      }
      outputs.put(step, new Outputs(rows, latency));
    }
    return new BranchProgress(finished, outputs);
  }

  private static String text(ByteBuffer buffer) {
    return new String(bytes(buffer, buffer.getInt()), StandardCharsets.UTF_8);
  }

  private static List<Document> documents(ByteBuffer buffer) throws InvalidDocumentException {
    List<Document> documents = new ArrayList<>();
    for (int left = buffer.getInt(); left > 0; left--) {
      documents.add(document(buffer, buffer.getInt()));
    }
    return documents;
  }

  private static Document document(ByteBuffer buffer, int length) throws InvalidDocumentException {
    return Document.parse(bytes(buffer, length));
  }

  private static byte[] bytes(ByteBuffer buffer, int length) {
    if (length < 0 || length > buffer.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    buffer.get(bytes);
    return bytes;
  }
}

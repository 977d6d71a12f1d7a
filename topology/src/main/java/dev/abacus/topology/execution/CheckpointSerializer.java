package dev.abacus.topology.execution;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.topology.operator.ExecutionStats;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts checkpoints to bytes and back. The format is big endian: version (1 byte), next step
 * (4), calls (4), cost (8), latency (8), tokens by kind (5 × 8), fanned out (1), number of
 * documents (4), then for each document its length (4) and its JSON. Version 2 has no tokens. In
 * version 1, the JSON of one document follows the latency.
 */
public final class CheckpointSerializer {

  private static final byte ONE_DOCUMENT = 1;
  private static final byte WITHOUT_TOKENS = 2;
  private static final byte VERSION = 3;
  private static final int HEADER = 2 + 3 * Integer.BYTES + 2 * Double.BYTES + 5 * Long.BYTES;

  private CheckpointSerializer() {}

  /** Serializes a checkpoint. */
  public static byte[] write(Checkpoint checkpoint) {
    List<byte[]> documents = checkpoint.documents().stream().map(Document::toBytes).toList();
    int size = documents.stream().mapToInt(document -> Integer.BYTES + document.length).sum();
    ExecutionStats stats = checkpoint.stats();
    ByteBuffer buffer =
        ByteBuffer.allocate(HEADER + size)
            .put(VERSION)
            .putInt(checkpoint.nextStep())
            .putInt(stats.calls())
            .putDouble(stats.cost())
            .putDouble(stats.latency())
            .putLong(stats.tokens().input())
            .putLong(stats.tokens().cachedInput())
            .putLong(stats.tokens().output())
            .putLong(stats.tokens().reasoning())
            .putLong(stats.tokens().estimated())
            .put((byte) (checkpoint.fannedOut() ? 1 : 0))
            .putInt(documents.size());
    documents.forEach(document -> buffer.putInt(document.length).put(document));
    return buffer.array();
  }

  /**
   * Deserializes a checkpoint.
   *
   * @throws IllegalArgumentException if the bytes are damaged or have an unknown version
   */
  public static Checkpoint read(byte[] bytes) {
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      byte version = buffer.get();
      if (version < ONE_DOCUMENT || version > VERSION) {
        throw new IllegalArgumentException("checkpoint of version " + version);
      }
      int nextStep = buffer.getInt();
      int calls = buffer.getInt();
      double cost = buffer.getDouble();
      double latency = buffer.getDouble();
      TokenCounts tokens = version > WITHOUT_TOKENS ? tokens(buffer) : TokenCounts.NONE;
      ExecutionStats stats = new ExecutionStats(cost, latency, calls, tokens);
      if (version == ONE_DOCUMENT) {
        return new Checkpoint(nextStep, document(buffer, buffer.remaining()), stats);
      }
      boolean fannedOut = buffer.get() == 1;
      return new Checkpoint(nextStep, documents(buffer), fannedOut, stats);
    } catch (BufferUnderflowException | InvalidDocumentException e) {
      throw new IllegalArgumentException("damaged checkpoint: " + e.getMessage(), e);
    }
  }

  private static TokenCounts tokens(ByteBuffer buffer) {
    return new TokenCounts(
        buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
  }

  private static List<Document> documents(ByteBuffer buffer) throws InvalidDocumentException {
    List<Document> documents = new ArrayList<>();
    for (int left = buffer.getInt(); left > 0; left--) {
      documents.add(document(buffer, buffer.getInt()));
    }
    return documents;
  }

  private static Document document(ByteBuffer buffer, int length) throws InvalidDocumentException {
    if (length < 0 || length > buffer.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] document = new byte[length];
    buffer.get(document);
    return Document.parse(document);
  }
}

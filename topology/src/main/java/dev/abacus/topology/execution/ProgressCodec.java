package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.topology.operator.Expense;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Progress as bytes: version (1 byte), next step (4), calls (4), cost (8), latency (8), then the
 * document as JSON to the end. Big endian.
 */
public final class ProgressCodec {

  private static final byte VERSION = 1;
  private static final int HEADER = 1 + 2 * Integer.BYTES + 2 * Double.BYTES;

  private ProgressCodec() {}

  /** The bytes of a progress. */
  public static byte[] write(Progress progress) {
    byte[] document = progress.document().toBytes();
    Expense expense = progress.expense();
    return ByteBuffer.allocate(HEADER + document.length)
        .put(VERSION)
        .putInt(progress.nextStep())
        .putInt(expense.calls())
        .putDouble(expense.cost())
        .putDouble(expense.latency())
        .put(document)
        .array();
  }

  /**
   * The progress of these bytes.
   *
   * @throws IllegalArgumentException if they are damaged or of a version that is not known
   */
  public static Progress read(byte[] bytes) {
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      byte version = buffer.get();
      if (version != VERSION) {
        throw new IllegalArgumentException("progress of version " + version);
      }
      int nextStep = buffer.getInt();
      int calls = buffer.getInt();
      double cost = buffer.getDouble();
      double latency = buffer.getDouble();
      byte[] document = new byte[buffer.remaining()];
      buffer.get(document);
      return new Progress(nextStep, Document.parse(document), new Expense(cost, latency, calls));
    } catch (BufferUnderflowException | InvalidDocumentException e) {
      throw new IllegalArgumentException("damaged progress: " + e.getMessage(), e);
    }
  }
}

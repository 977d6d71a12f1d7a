package dev.abacus.schemas.file;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.InflaterInputStream;

/**
 * Finds compressed streams of a PDF that would fill the memory (a file of 1 MB can hold 1 GB, and
 * streams inside of streams more). PDFBox inflates streams into memory without a limit; this looks
 * at every stream first and keeps none of it.
 */
final class Inflation {

  /** More than a page scanned in colour at 600 dpi, without compression. */
  static final long MOST_BYTES = 128L << 20;

  /** All streams of a PDF: hundreds of pages scanned in black and white at 600 dpi. */
  static final long MOST_BYTES_TOGETHER = 1L << 30;

  private static final byte[] STREAM = {'s', 't', 'r', 'e', 'a', 'm'};

  /** First byte of zlib's format with the window that all its writers use. */
  private static final int ZLIB = 0x78;

  /** Filters that are applied to one another; no writer needs more than one. */
  private static final int MOST_DEEP = 3;

  private Inflation() {}

  /**
   * Whether some stream inflates to more than {@link #MOST_BYTES}, or all to more than {@link
   * #MOST_BYTES_TOGETHER}.
   */
  static boolean isExcessive(byte[] pdf) {
    byte[] skipped = new byte[1 << 16];
    long together = 0;
    for (int at = next(pdf, 0); at >= 0; at = next(pdf, at)) {
      while (at < pdf.length && (pdf[at] == '\r' || pdf[at] == '\n')) {
        at++;
      }
      if (at < pdf.length && pdf[at] == ZLIB) {
        long length = inflatedLength(pdf, at, skipped);
        together += length;
        if (length > MOST_BYTES || together > MOST_BYTES_TOGETHER) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Bytes that a stream inflates to; more than {@link #MOST_BYTES} if it is not read to its end.
   */
  private static long inflatedLength(byte[] pdf, int from, byte[] skipped) {
    for (int depth = 1; depth <= MOST_DEEP; depth++) {
      long length = 0;
      int first = -1;
      try (InputStream in =
          inflated(new ByteArrayInputStream(pdf, from, pdf.length - from), depth)) {
        for (int read = in.read(skipped); read >= 0; read = in.read(skipped)) {
          first = length == 0 && read > 0 ? skipped[0] : first;
          length += read;
          if (length > MOST_BYTES) {
            return length;
          }
        }
      } catch (IOException e) {
        // No stream of zlib, or a broken one: PDFBox reads as much of it as was read here.
      }
      if (first != ZLIB) {
        return length;
      }
    }
    return MOST_BYTES + 1;
  }

  private static InputStream inflated(InputStream in, int depth) {
    return depth == 0 ? in : new InflaterInputStream(inflated(in, depth - 1));
  }

  /** The position after the next {@code stream}, or -1. */
  private static int next(byte[] pdf, int from) {
    for (int at = from; at <= pdf.length - STREAM.length; at++) {
      int matching = 0;
      while (matching < STREAM.length && pdf[at + matching] == STREAM[matching]) {
        matching++;
      }
      if (matching == STREAM.length) {
        return at + matching;
      }
    }
    return -1;
  }
}

package dev.abacus.topology.codec;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Headers by which a left join that a model decides keeps account: which left document a pair is
 * of, and that no more pairs of a left document are to come.
 */
public final class PairHeaders {

  private static final String PAIR_OF = "abacus-pair-of";
  private static final String NO_MORE_PAIRS_OF = "abacus-no-more-pairs-of";

  private PairHeaders() {}

  /** On a pair: number of its left document. */
  public static Header pairOf(long number) {
    return header(PAIR_OF, number);
  }

  /** On a left document whose window has passed: its number. */
  public static Header noMorePairsOf(long number) {
    return header(NO_MORE_PAIRS_OF, number);
  }

  public static @Nullable Long pair(Iterable<Header> headers) {
    return number(headers, PAIR_OF);
  }

  public static @Nullable Long noMorePairs(Iterable<Header> headers) {
    return number(headers, NO_MORE_PAIRS_OF);
  }

  /** Whether a record says that no more pairs of its document are to come. */
  public static boolean isEnd(Iterable<Header> headers) {
    return noMorePairs(headers) != null;
  }

  /** Takes away what a user's record must not claim. */
  public static void removeFrom(Headers headers) {
    headers.remove(PAIR_OF).remove(NO_MORE_PAIRS_OF);
  }

  public static boolean isMark(Header header) {
    return header.key().equals(PAIR_OF) || header.key().equals(NO_MORE_PAIRS_OF);
  }

  private static Header header(String name, long number) {
    return new RecordHeader(name, Long.toString(number).getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable Long number(Iterable<Header> headers, String name) {
    for (Header header : headers) {
      if (header.key().equals(name)) {
        return Long.valueOf(new String(header.value(), StandardCharsets.UTF_8));
      }
    }
    return null;
  }
}

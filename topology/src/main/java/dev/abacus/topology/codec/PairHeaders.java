package dev.abacus.topology.codec;

import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.topology.runtime.ImmutableHeader;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Headers between the parts of a left join whose pairs a model decides. A pair names its left
 * document. When a left document finds no partner any more, an end marker follows its pairs: the
 * left document itself, with a header of its own.
 */
public final class PairHeaders {

  private static final String PAIR_OF = "abacus-pair-of";
  private static final String NO_MORE_PAIRS_OF = "abacus-no-more-pairs-of";

  private PairHeaders() {}

  /** The header of a pair, with the number of its left document. */
  public static Header pairOf(long number) {
    return ImmutableHeader.of(PAIR_OF, Long.toString(number));
  }

  /** The header of an end marker, with the number of its left document. */
  public static Header noMorePairsOf(long number) {
    return ImmutableHeader.of(NO_MORE_PAIRS_OF, Long.toString(number));
  }

  /** The number of the left document of a pair; null if the record is not a pair. */
  public static @Nullable Long pair(Iterable<Header> headers) {
    return number(headers, PAIR_OF);
  }

  /** The number of the left document of an end marker; null if the record is not an end marker. */
  public static @Nullable Long noMorePairs(Iterable<Header> headers) {
    return number(headers, NO_MORE_PAIRS_OF);
  }

  /** Whether a record is an end marker. */
  public static boolean isEnd(Iterable<Header> headers) {
    return noMorePairs(headers) != null;
  }

  /** Removes these headers, which a user's record must not have. */
  public static void removeFrom(Headers headers) {
    headers.remove(PAIR_OF).remove(NO_MORE_PAIRS_OF);
  }

  private static @Nullable Long number(Iterable<Header> headers, String name) {
    String text = RecordText.header(headers, name);
    return text == null ? null : Long.valueOf(text);
  }
}

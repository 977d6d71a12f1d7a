package dev.abacus.schemas.control;

/**
 * The size of the documents of one source that an instance has processed since its start.
 *
 * @param source name of the source in the program
 * @param documents number of documents
 * @param characters sum of their {@linkplain dev.abacus.schemas.document.Document#textLength() text
 *     lengths}
 */
public record SourceSize(String source, long documents, long characters) {

  public SourceSize {
    if (documents < 0 || characters < 0) {
      throw new IllegalArgumentException(
          "%d documents with %d characters".formatted(documents, characters));
    }
  }

  /** Adds the documents of another count; sums end at the largest number. */
  public SourceSize plus(SourceSize other) {
    return new SourceSize(
        source, sum(documents, other.documents), sum(characters, other.characters));
  }

  /** The largest number if the sum is beyond it. */
  static long sum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }
}

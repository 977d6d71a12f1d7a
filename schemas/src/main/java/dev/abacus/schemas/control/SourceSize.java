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

  /** Adds the documents of another count. */
  public SourceSize plus(SourceSize other) {
    return new SourceSize(source, documents + other.documents, characters + other.characters);
  }
}

package dev.abacus.schemas.control;

/**
 * Progress of one instance in loading a reference.
 *
 * @param reference name of the reference in the program
 * @param ready loaded items, of those that existed when the instance started
 * @param items number of items at the start; 0 while unknown
 */
public record ReferenceProgress(String reference, long ready, long items) {

  /** Whether all items are loaded. */
  public boolean isComplete() {
    return items > 0 && ready >= items;
  }

  /** {@code reference 'terms': 10 of 90 items are embedded}. */
  public String describe() {
    return "reference '%s': %,d of %,d items are embedded".formatted(reference, ready, items);
  }
}

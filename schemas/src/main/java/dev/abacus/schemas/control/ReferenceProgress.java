package dev.abacus.schemas.control;

/**
 * How far one instance is in making a reference ready.
 *
 * @param reference its name in the program
 * @param ready items, of those that it held when the instance began, that can be matched against
 * @param items how many it held then; 0 while they are not counted yet
 */
public record ReferenceProgress(String reference, long ready, long items) {

  /** Whether there is nothing left to wait for, as far as is known. */
  public boolean isComplete() {
    return items > 0 && ready >= items;
  }
}

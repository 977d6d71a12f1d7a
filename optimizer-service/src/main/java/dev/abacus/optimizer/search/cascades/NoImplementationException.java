package dev.abacus.optimizer.search.cascades;

/** An operator cannot be planned, because none of its eligible implementations has an estimate. */
public final class NoImplementationException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** For a logical operator id. */
  public NoImplementationException(String operator, String why) {
    super("operator '" + operator + "' has no eligible implementation: " + why);
  }
}

package dev.abacus.optimizer.search.cascades;

/** An operator cannot be planned: nothing is known of any implementation that it may have. */
public final class NoImplementationException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final String operator;

  /** For the logical operator of that id. */
  public NoImplementationException(String operator, String why) {
    super("operator '" + operator + "' has no eligible implementation: " + why);
    this.operator = operator;
  }

  /** Id of the logical operator. */
  public String operator() {
    return operator;
  }
}

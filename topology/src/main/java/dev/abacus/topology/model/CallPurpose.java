package dev.abacus.topology.model;

/**
 * What a call of a model is made for. The bill of a program adds up calls by it.
 *
 * @param program name of the program; empty if it is not known
 * @param operator id of the operator, or name of the reference; empty if it is not known
 */
public record CallPurpose(String program, String operator, Kind kind) {

  /** The kinds of purposes. */
  public enum Kind {
    /** Documents. */
    LIVE,
    /** Documents that a classifier could answer, to check it. */
    AUDIT,
    /** Samples of the optimizer. */
    SAMPLES,
    /** Scores of samples and of live outputs. */
    JUDGE,
    /** Documents of {@code abacus replay}. */
    REPLAY,
    /** Items of references. */
    REFERENCES
  }

  private static final CallPurpose UNKNOWN = new CallPurpose("", "", Kind.LIVE);

  /**
   * The purpose of the calls of a thread. A thread that makes calls for the work of another thread
   * binds it again.
   */
  public static final ScopedValue<CallPurpose> CURRENT = ScopedValue.newInstance();

  /** The purpose of the calls of this thread. */
  public static CallPurpose current() {
    return CURRENT.orElse(UNKNOWN);
  }

  /** The purpose of calls for an operator of the program. */
  public CallPurpose of(String operatorId) {
    return new CallPurpose(program, operatorId, kind);
  }

  /** The same program and operator for another kind of purpose. */
  public CallPurpose as(Kind other) {
    return new CallPurpose(program, operator, other);
  }

  /** Does something whose calls have this purpose. */
  public <R, X extends Throwable> R call(ScopedValue.CallableOp<? extends R, X> work) throws X {
    return ScopedValue.where(CURRENT, this).call(work);
  }
}

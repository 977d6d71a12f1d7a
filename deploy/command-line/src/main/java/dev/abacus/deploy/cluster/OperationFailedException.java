package dev.abacus.deploy.cluster;

import org.jspecify.annotations.Nullable;

/** An operation that the cluster did not let happen: what happened, and what to do about it. */
public final class OperationFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String remedy;

  public OperationFailedException(String what, String remedy) {
    this(what, remedy, null);
  }

  public OperationFailedException(String what, String remedy, @Nullable Throwable cause) {
    super(what, cause);
    this.remedy = remedy;
  }

  /** What the user can do, in one line. */
  public String remedy() {
    return remedy;
  }
}

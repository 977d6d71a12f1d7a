package dev.abacus.deploy.cluster;

import org.jspecify.annotations.Nullable;

/** An operation on the cluster failed: what happened, and what the user can do. */
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

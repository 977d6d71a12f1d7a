package dev.abacus.schemas.catalogue;

/** Whether a model can be called. */
public enum ModelState {
  /** The endpoint serves the model, or no call has shown otherwise. */
  AVAILABLE,
  /** The endpoint does not know the model. */
  MISSING,
  /** The key of the model is missing, or the endpoint rejects it. */
  NO_KEY,
  /** The endpoint limits, fails or does not answer, or the account is empty. */
  UNREACHABLE;

  /** Whether only the user can change this: waiting does not help. */
  public boolean isPermanent() {
    return this == MISSING || this == NO_KEY;
  }
}

package dev.abacus.topology.operator;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelFailure;
import java.io.Serial;

/** Ends the execution of a technique; its outcome has the failure as a value. */
public final class OperatorFailedException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  private final transient OperatorFailure failure;

  public OperatorFailedException(OperatorFailure failure) {
    super(failure.message(), null, false, false);
    this.failure = failure;
  }

  /** A model gave no usable answer. */
  public static OperatorFailedException ofModel(String model, ModelFailure failure) {
    return new OperatorFailedException(new OperatorFailure.ModelFailed(model, failure));
  }

  /** The plan cannot be carried out, whatever the document is. */
  public static OperatorFailedException unusablePlan(String message) {
    return new OperatorFailedException(new OperatorFailure.UnusablePlan(message));
  }

  /** The plan has another operator than the technique is for, such as "a rank". */
  public static OperatorFailedException isNot(LogicalOperator operator, String expected) {
    return unusablePlan(
        "a %s ('%s') is not %s".formatted(operator.kind(), operator.id(), expected));
  }

  /** The operator cannot be applied to the document. */
  public static OperatorFailedException unusableDocument(String message) {
    return new OperatorFailedException(new OperatorFailure.UnusableDocument(message));
  }

  public OperatorFailure failure() {
    return failure;
  }
}

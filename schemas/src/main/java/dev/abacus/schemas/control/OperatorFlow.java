package dev.abacus.schemas.control;

/**
 * How many outputs an operator over several documents had on an instance since its start, before
 * its condition or its model.
 *
 * @param operator id of the aggregate, limit or join of streams
 * @param inputs an aggregate's documents in closed windows, in each of them; a limit's documents; a
 *     join's left documents that can find no more partners
 * @param outputs groups of the closed windows; documents that the limit passed; candidate pairs of
 *     the left documents
 */
public record OperatorFlow(String operator, long inputs, long outputs) {

  public OperatorFlow {
    if (inputs < 0 || outputs < 0) {
      throw new IllegalArgumentException("%d inputs with %d outputs".formatted(inputs, outputs));
    }
  }

  /** Adds another count of the same operator; sums end at the largest number. */
  public OperatorFlow plus(OperatorFlow other) {
    return new OperatorFlow(
        operator, SourceSize.sum(inputs, other.inputs), SourceSize.sum(outputs, other.outputs));
  }
}

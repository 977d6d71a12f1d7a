package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonTypeName;

/**
 * Several documents in one call. A document whose answer is missing or invalid gets a call of its
 * own.
 *
 * @param size maximum number of documents per call, at least 2
 */
@JsonTypeName("tuple-batch")
public record TupleBatch(String model, int size) implements PhysicalOperator.SingleModel {
  public TupleBatch {
    if (size < 2) {
      throw new IllegalArgumentException("a batch holds at least 2 documents, not " + size);
    }
  }

  @Override
  public int documentsPerCall() {
    return size;
  }

  @Override
  public String id() {
    return "tuple-batch(%s,%d)".formatted(model, size);
  }
}

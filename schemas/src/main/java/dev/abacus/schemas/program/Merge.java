package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * Joins two branches of one source on the document from which both come, so that the result has the
 * fields of both. If both write a field, the right branch counts ({@link BranchFields}). If
 * branches have several outputs for the document, each is joined with each. It needs no window,
 * because the branches run side by side in one segment (see {@link Stages}).
 *
 * @param input the left branch
 * @param with the operator that ends the right branch
 */
public record Merge(@JsonProperty("join") String id, String input, String with)
    implements LogicalOperator {

  @Override
  public List<String> inputs() {
    return List.of(input, with);
  }

  @Override
  public List<String> reads() {
    return List.of();
  }

  @Override
  public boolean isSemantic() {
    return false;
  }

  @Override
  public Merge withInputs(List<String> inputs) {
    return new Merge(id, inputs.getFirst(), inputs.get(1));
  }
}

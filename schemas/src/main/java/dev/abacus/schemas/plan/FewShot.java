package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireAtLeastOne;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of one model that sees solved examples before the document.
 *
 * @param k number of examples
 * @param shown the examples; null until they are chosen. In a sample, all but the example that is
 *     measured
 */
@JsonTypeName("few-shot")
public record FewShot(
    String model,
    int k,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<SolvedExample> shown)
    implements PhysicalOperator.SingleModel {

  public FewShot {
    requireAtLeastOne("k", k);
    shown = shown == null ? null : List.copyOf(shown);
  }

  /** The same implementation with these examples. */
  public FewShot with(List<SolvedExample> examples) {
    return new FewShot(model, k, examples);
  }

  @Override
  public boolean matches(PhysicalOperator other) {
    return equals(other) || (shown == null && id().equals(other.id()));
  }

  @Override
  public String id() {
    return "few-shot(%s,k=%d)".formatted(model, k);
  }
}

package dev.abacus.deploy.price;

import dev.abacus.schemas.plan.Estimate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What some documents cost under a plan.
 *
 * @param name why this plan is shown, such as the objective that it is the best for
 * @param feasible whether its estimate meets every bound of that objective
 * @param operators with their implementations, in execution order
 * @param perDocument the plan's estimate, per source document
 * @param usd of all documents
 * @param low end of the 95 % interval of {@code usd}; null if not known
 * @param high other end; null if not known
 */
public record PricedPlan(
    String name,
    boolean feasible,
    List<Step> operators,
    Estimate perDocument,
    double usd,
    @Nullable Double low,
    @Nullable Double high) {

  /** An operator with the id of its implementation. */
  public record Step(String logical, String physical) {}

  public PricedPlan {
    operators = List.copyOf(operators);
  }
}

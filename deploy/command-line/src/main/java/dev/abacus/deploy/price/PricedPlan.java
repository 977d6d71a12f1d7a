package dev.abacus.deploy.price;

import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.Standing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The price of documents under a plan.
 *
 * @param name reason for listing this plan, such as the objective that it is best for
 * @param standing of the plan towards that objective
 * @param operators operators with their implementations, in execution order
 * @param perDocument the plan's estimate per source document
 * @param usd price of all documents, in USD
 * @param low lower end of the 95 % interval of {@code usd}; null if unknown
 * @param high upper end; null if unknown
 */
public record PricedPlan(
    String name,
    Standing standing,
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

package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireAtLeastOne;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;

/**
 * One model answers, the checker names what is missing, and the model is asked again for it, until
 * nothing is missing or the rounds are used up.
 *
 * @param rounds maximum number of repetitions, at least 1
 */
@JsonTypeName("gleaning")
public record Gleaning(String model, String checker, int rounds) implements PhysicalOperator {
  public Gleaning {
    requireAtLeastOne("rounds", rounds);
  }

  @Override
  public String id() {
    return "gleaning(%s,%s,rounds=%d)".formatted(model, checker, rounds);
  }

  @Override
  public List<String> chatModels() {
    return List.of(model, checker);
  }
}

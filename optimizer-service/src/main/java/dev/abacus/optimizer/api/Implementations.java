package dev.abacus.optimizer.api;

import dev.abacus.optimizer.search.rule.implementation.SearchSpace;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.Map;

/** All implementations that the optimizer considers for the operators of a program. */
public final class Implementations {

  private final SearchSpace space;

  private Implementations(SearchSpace space) {
    this.space = space;
  }

  /**
   * The implementations for the program's models, or for all chat models of the catalogue if the
   * program names none.
   *
   * @throws IllegalArgumentException if the catalogue lacks a model that the program names
   */
  public static Implementations of(Program program, ModelCatalogue catalogue) {
    return new Implementations(SearchSpace.of(program, catalogue));
  }

  /** Implementations of an operator, each once; empty for an unknown operator. */
  public List<PhysicalOperator> of(String operator) {
    return space.of(operator);
  }

  /** Implementations of an operator that rules of the paper produce (section 4.1). */
  public List<PhysicalOperator> ofPaper(String operator) {
    return space.ofPaper(operator);
  }

  /** Implementations of an operator by name of the implementation rule. */
  public Map<String, List<PhysicalOperator>> byRule(String operator) {
    return space.rules(operator);
  }
}

package dev.abacus.optimizer.search.rule;

import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Reasoning;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Makes physical operators from a logical operator by one technique (paper, section 4.1). The rule
 * owns the parameter grid of its technique.
 */
public non-sealed interface ImplementationRule extends Rule {

  /** Whether the technique can implement the operator. */
  boolean matches(LogicalOperator operator);

  /**
   * The technique with every combination of its parameters, in a stable order.
   *
   * @param operator an operator that {@link #matches}
   */
  List<PhysicalOperator> implement(LogicalOperator operator, Choices choices);

  /** Whether the paper lists the technique (section 4.1). */
  default boolean isInPaper() {
    return true;
  }

  /**
   * The models that a rule combines with its own parameters.
   *
   * @param models names of chat models
   * @param embedders names of embedding models
   * @param proxies by chat model: the cheaper models that return log-probabilities
   * @param reasoning by chat model: how it may reason, other than its card says
   */
  record Choices(
      List<String> models,
      List<String> embedders,
      Map<String, List<String>> proxies,
      Map<String, List<Reasoning>> reasoning) {
    public Choices {
      models = List.copyOf(models);
      embedders = List.copyOf(embedders);
      proxies = Map.copyOf(proxies);
      reasoning = Map.copyOf(reasoning);
    }

    /** The proxies of a chat model; empty if there is none. */
    public List<String> proxies(String model) {
      return proxies.getOrDefault(model, List.of());
    }

    /** One physical operator per chat model and way to reason; the latter varies fastest. */
    public List<PhysicalOperator> perReasoning(
        BiFunction<String, Reasoning, PhysicalOperator> technique) {
      List<PhysicalOperator> all = new ArrayList<>();
      for (String model : models) {
        for (Reasoning how : reasoning.getOrDefault(model, List.of())) {
          all.add(technique.apply(model, how));
        }
      }
      return all;
    }

    /** One physical operator per chat model. */
    public List<PhysicalOperator> perModel(Function<String, PhysicalOperator> technique) {
      return models.stream().map(technique).toList();
    }

    /** One physical operator per chat model and parameter; the parameter varies fastest. */
    public <P> List<PhysicalOperator> perModel(
        List<P> parameters, BiFunction<String, P, PhysicalOperator> technique) {
      List<PhysicalOperator> all = new ArrayList<>();
      for (String model : models) {
        for (P parameter : parameters) {
          all.add(technique.apply(model, parameter));
        }
      }
      return all;
    }
  }
}

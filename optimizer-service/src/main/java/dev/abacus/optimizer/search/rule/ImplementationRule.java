package dev.abacus.optimizer.search.rule;

import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Reasoning;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Makes physical operators from a logical operator by one technique (paper, section 4.1). The rule
 * owns the parameter grid of its technique.
 *
 * @param name name in reports
 * @param isInPaper whether the paper lists the technique (section 4.1)
 * @param applies whether the technique can implement an operator
 * @param technique the technique with every combination of its parameters, in a stable order, for
 *     an operator to which the rule applies
 */
public record ImplementationRule(
    String name,
    boolean isInPaper,
    Predicate<LogicalOperator> applies,
    BiFunction<LogicalOperator, Choices, List<PhysicalOperator>> technique) {

  /** A rule of the paper whose technique depends on the available models alone. */
  public static ImplementationRule ofPaper(
      String name,
      Predicate<LogicalOperator> applies,
      Function<Choices, List<PhysicalOperator>> technique) {
    return new ImplementationRule(name, true, applies, (_, choices) -> technique.apply(choices));
  }

  /** A rule that the paper does not have, whose technique depends on the models alone. */
  public static ImplementationRule notInPaper(
      String name,
      Predicate<LogicalOperator> applies,
      Function<Choices, List<PhysicalOperator>> technique) {
    return new ImplementationRule(name, false, applies, (_, choices) -> technique.apply(choices));
  }

  /**
   * The models that a rule combines with its own parameters.
   *
   * @param models names of chat models
   * @param embedders names of embedding models
   * @param proxies by chat model: the cheaper models that return log-probabilities
   * @param reasoning by chat model: how it may reason, other than its card says
   */
  public record Choices(
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

    /** One physical operator per chat model. */
    public List<PhysicalOperator> perModel(Function<String, PhysicalOperator> technique) {
      return models.stream().map(technique).toList();
    }

    /** One physical operator per chat model and parameter; the parameter varies fastest. */
    public <P> List<PhysicalOperator> perModel(
        List<P> parameters, BiFunction<String, P, PhysicalOperator> technique) {
      return some(model -> parameters.stream().map(one -> technique.apply(model, one)));
    }

    /** Some physical operators per chat model. */
    public List<PhysicalOperator> some(
        Function<String, Stream<? extends PhysicalOperator>> techniques) {
      return models.stream().<PhysicalOperator>flatMap(techniques).toList();
    }

    /** One physical operator per chat model and way to reason; the latter varies fastest. */
    public List<PhysicalOperator> perReasoning(
        BiFunction<String, Reasoning, PhysicalOperator> technique) {
      return some(model ->
          reasoning.getOrDefault(model, List.of()).stream()
              .map(how -> technique.apply(model, how)));
    }

    /** Some physical operators per chat model and embedding model, which varies faster. */
    public List<PhysicalOperator> perEmbedder(
        BiFunction<String, String, Stream<? extends PhysicalOperator>> techniques) {
      return some(model -> embedders.stream().flatMap(other -> techniques.apply(model, other)));
    }

    /** Some physical operators per ordered pair of chat models. */
    public List<PhysicalOperator> perModels(
        BiFunction<String, String, Stream<? extends PhysicalOperator>> techniques) {
      return some(model -> models.stream().flatMap(other -> techniques.apply(model, other)));
    }

    /** Makes a technique that searches a reference and calls a model about the items found. */
    @FunctionalInterface
    public interface Shortlist {
      PhysicalOperator of(String model, String embedder, int k);
    }

    /** One physical operator per embedding model, chat model and k, which varies fastest. */
    public List<PhysicalOperator> perShortlist(List<Integer> sizes, Shortlist technique) {
      return embedders.stream()
          .flatMap(
              embedder -> perModel(sizes, (model, k) -> technique.of(model, embedder, k)).stream())
          .toList();
    }
  }
}

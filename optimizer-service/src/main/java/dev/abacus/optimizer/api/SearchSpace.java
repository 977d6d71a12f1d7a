package dev.abacus.optimizer.api;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.optimizer.search.rule.implementation.ImplementationRules;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Reasoning;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Every implementation of every operator of a program (paper, section 2.2, "creation of search
 * space"). The order is stable: operators as in the program, rules as in {@link
 * ImplementationRules#ALL}, parameters as each rule enumerates them.
 *
 * @param byRule implementations by logical operator id, then by name of the rule; rules that make
 *     none for an operator are absent
 */
public record SearchSpace(Map<String, Map<String, List<PhysicalOperator>>> byRule) {

  /** The embedding models that are used by default. */
  public static final List<String> DEFAULT_EMBEDDERS = List.of("all-minilm-l6-v2");

  /** Maximum number of models whose answers are collected for cascades: each costs calls. */
  private static final int MOST_PROXIES = 2;

  /** Maximum price of a proxy as a fraction of the model's price; above, it saves too little. */
  private static final double PRICE_OF_A_PROXY = 1.0 / 3;

  /** The search space of a program with {@link #DEFAULT_EMBEDDERS}. */
  public static SearchSpace of(Program program, ModelCatalogue catalogue) {
    return of(program, catalogue, DEFAULT_EMBEDDERS);
  }

  /**
   * The search space of a program over its models, or over all chat models of the catalogue if the
   * program names none, at each service tier that it allows and a model has.
   *
   * @param embedders names of embedding models
   * @throws IllegalArgumentException if a model or embedder is missing from the catalogue or is of
   *     the other kind
   */
  public static SearchSpace of(Program program, ModelCatalogue catalogue, List<String> embedders) {
    List<String> models = catalogue.chatModels(program.models(), program.tiers());
    models.forEach(name -> require(catalogue, name, ModelCard.Kind.CHAT));
    embedders.forEach(name -> require(catalogue, name, ModelCard.Kind.EMBEDDING));
    List<ImplementationRule.Choices> choices =
        atOneTier(models).stream()
            .map(some ->
                new ImplementationRule.Choices(
                    some, embedders, proxies(some, catalogue), reasoning(some, catalogue)))
            .toList();
    Map<String, Map<String, List<PhysicalOperator>>> space = new LinkedHashMap<>();
    for (LogicalOperator operator : program.operators()) {
      Map<String, List<PhysicalOperator>> rules = new LinkedHashMap<>();
      ImplementationRules.ALL.stream()
          .filter(rule -> rule.applies().test(operator))
          .forEach(rule -> {
            List<PhysicalOperator> found =
                choices.stream()
                    .flatMap(some -> rule.technique().apply(operator, some).stream())
                    .distinct()
                    .filter(one -> program.validation().fewShot() || one.examples() == 0)
                    .toList();
            if (!found.isEmpty()) {
              rules.put(rule.name(), found);
            }
          });
      space.put(operator.id(), Collections.unmodifiableMap(rules));
    }
    return new SearchSpace(Collections.unmodifiableMap(space));
  }

  /**
   * The models by service tier: an implementation calls a model at one tier, and mixes tiers only
   * where a model has no other.
   */
  private static List<List<String>> atOneTier(List<String> models) {
    Map<String, Set<Optional<ServiceTier>>> tiers = new HashMap<>();
    models.forEach(name ->
        tiers
            .computeIfAbsent(ServiceTier.standard(name), _ -> new HashSet<>())
            .add(Optional.ofNullable(ServiceTier.named(name))));
    return models.stream()
        .map(name -> Optional.ofNullable(ServiceTier.named(name)))
        .distinct()
        .map(tier ->
            models.stream()
                .filter(name -> {
                  Set<Optional<ServiceTier>> own =
                      tiers.getOrDefault(ServiceTier.standard(name), Set.of());
                  return Optional.ofNullable(ServiceTier.named(name)).equals(tier)
                      || !own.contains(tier);
                })
                .toList())
        .toList();
  }

  /**
   * For each model the models that can be its proxy in a cascade: of the {@value #MOST_PROXIES}
   * cheapest models whose cards state log-probabilities, those at a fraction of its price.
   */
  private static Map<String, List<String>> proxies(List<String> models, ModelCatalogue catalogue) {
    List<ModelCard> cheapest =
        models.stream()
            .map(catalogue::get)
            .filter(card -> Boolean.TRUE.equals(card.supports().logprobs()))
            .sorted(Comparator.comparingDouble(SearchSpace::price).thenComparing(ModelCard::name))
            .limit(MOST_PROXIES)
            .toList();
    Map<String, List<String>> proxies = new HashMap<>();
    for (String model : models) {
      double most = price(catalogue.get(model)) * PRICE_OF_A_PROXY;
      proxies.put(
          model,
          cheapest.stream()
              .filter(proxy -> !proxy.name().equals(model) && price(proxy) <= most)
              .map(ModelCard::name)
              .toList());
    }
    return proxies;
  }

  /**
   * For each model how it may reason: little or much where its card states that it takes {@code
   * reasoning_effort}, else step by step in its answer. Leaves out what the card sets anyway.
   */
  private static Map<String, List<Reasoning>> reasoning(
      List<String> models, ModelCatalogue catalogue) {
    Map<String, List<Reasoning>> reasoning = new HashMap<>();
    for (String model : models) {
      ModelCard card = catalogue.get(model);
      boolean hidden = Boolean.TRUE.equals(card.supports().reasoningEffort());
      reasoning.put(
          model,
          (hidden ? List.of(Reasoning.LOW, Reasoning.HIGH) : List.of(Reasoning.STEPS))
              .stream().filter(how -> !how.label().equals(card.reasoningEffort())).toList());
    }
    return reasoning;
  }

  /** The price of a typical call: much input, little output. */
  private static double price(ModelCard card) {
    return card.cost(1_000, 0, 20);
  }

  /** Implementations by rule for one operator; empty if the program has no such operator. */
  public Map<String, List<PhysicalOperator>> rules(String operator) {
    return byRule.getOrDefault(operator, Map.of());
  }

  /** All distinct implementations of an operator; empty if the program has no such operator. */
  public List<PhysicalOperator> of(String operator) {
    return rules(operator).values().stream().flatMap(List::stream).distinct().toList();
  }

  /**
   * The distinct implementations that the paper's rules make (section 4.1), for comparison with its
   * experiments.
   */
  public List<PhysicalOperator> ofPaper(String operator) {
    return ImplementationRules.ALL.stream()
        .filter(ImplementationRule::isInPaper)
        .flatMap(rule -> rules(operator).getOrDefault(rule.name(), List.of()).stream())
        .distinct()
        .toList();
  }

  /** All implementations by logical operator id. */
  public Map<String, List<PhysicalOperator>> union() {
    Map<String, List<PhysicalOperator>> union = new LinkedHashMap<>();
    byRule.keySet().forEach(operator -> union.put(operator, of(operator)));
    return Collections.unmodifiableMap(union);
  }

  private static void require(ModelCatalogue catalogue, String name, ModelCard.Kind kind) {
    ModelCard card = catalogue.get(name);
    if (card.kind() != kind) {
      throw new IllegalArgumentException(
          "'%s' is no %s model"
              .formatted(name, kind == ModelCard.Kind.CHAT ? "chat" : "embedding"));
    }
  }
}

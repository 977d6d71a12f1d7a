package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Every implementation of every operator of a program (paper, section 2.2, "creation of search
 * space"), in a stable order: operators as written, rules as listed, parameters as counted.
 *
 * @param byRule logical operator id, then name of the rule, then implementations; rules that do not
 *     match an operator are absent
 */
public record SearchSpace(Map<String, Map<String, List<PhysicalOperator>>> byRule) {

  /** What is used where nothing else is asked for. */
  public static final List<String> DEFAULT_EMBEDDERS = List.of("all-minilm-l6-v2");

  private static final List<ImplementationRule> RULES =
      List.of(
          new ImplementMapWithModelSelection(),
          new ImplementMapWithReducedContext(),
          new ImplementMapWithCritiqueAndRefine(),
          new ImplementMapWithMixtureOfAgents(),
          new ImplementFilterWithModelSelection(),
          new ImplementFilterWithReducedContext(),
          new ImplementFilterWithCritiqueAndRefine(),
          new ImplementFilterWithMixtureOfAgents(),
          new ImplementTopKWithSearch(),
          new ImplementJoinWithNestedLoops(),
          new ImplementJoinWithEmbeddings(),
          new ImplementAggregateWithModel(),
          new ImplementRelationalAggregate(),
          new ImplementProject(),
          new ImplementLimit(),
          new ImplementEqualityJoin(),
          new ImplementMerge(),
          new ImplementWithHeadAndTail(),
          new ImplementWithSplitAndMerge(),
          new ImplementWithCompressedContext(),
          new ImplementMapWithGleaning(),
          new ImplementWithTupleBatch(),
          new ImplementFilterWithConditions(),
          new ImplementFilterWithLearnedCascade(),
          new ImplementMapWithLearnedCascade());

  public SearchSpace {
    Map<String, Map<String, List<PhysicalOperator>>> copy = new LinkedHashMap<>();
    byRule.forEach((operator, rules) -> {
      Map<String, List<PhysicalOperator>> copied = new LinkedHashMap<>();
      rules.forEach((rule, candidates) -> copied.put(rule, List.copyOf(candidates)));
      copy.put(operator, Collections.unmodifiableMap(copied));
    });
    byRule = Collections.unmodifiableMap(copy);
  }

  /** The space of a program with {@link #DEFAULT_EMBEDDERS}. */
  public static SearchSpace of(Program program, ModelCatalogue catalogue) {
    return of(program, catalogue, DEFAULT_EMBEDDERS);
  }

  /**
   * The space of a program: its models, or all chat models of the catalogue if it names none.
   *
   * @param embedders names of embedding models
   * @throws IllegalArgumentException if the catalogue lacks a model or embedder, or has it as the
   *     other kind
   */
  public static SearchSpace of(Program program, ModelCatalogue catalogue, List<String> embedders) {
    program.models().forEach(name -> require(catalogue, name, ModelCard.Kind.CHAT));
    embedders.forEach(name -> require(catalogue, name, ModelCard.Kind.EMBEDDING));
    List<String> models =
        program.models().isEmpty()
            ? catalogue.ofKind(ModelCard.Kind.CHAT).stream().map(ModelCard::name).toList()
            : program.models();
    ImplementationRule.Choices choices = new ImplementationRule.Choices(models, embedders);
    Map<String, Map<String, List<PhysicalOperator>>> space = new LinkedHashMap<>();
    for (LogicalOperator operator : program.operators()) {
      Map<String, List<PhysicalOperator>> rules = new LinkedHashMap<>();
      RULES.stream()
          .filter(rule -> rule.matches(operator))
          .forEach(rule -> rules.put(rule.name(), rule.implement(operator, choices)));
      space.put(operator.id(), rules);
    }
    return new SearchSpace(space);
  }

  /** The rules that match an operator, with what they make of it; empty if there is none. */
  public Map<String, List<PhysicalOperator>> rules(String operator) {
    return byRule.getOrDefault(operator, Map.of());
  }

  /** All implementations of an operator, each once; empty if the program has no such operator. */
  public List<PhysicalOperator> of(String operator) {
    Set<PhysicalOperator> union = new LinkedHashSet<>();
    rules(operator).values().forEach(union::addAll);
    return List.copyOf(union);
  }

  /**
   * The implementations that the rules of the paper make (section 4.1): what there is to compare
   * its experiments with.
   */
  public List<PhysicalOperator> ofPaper(String operator) {
    Set<PhysicalOperator> union = new LinkedHashSet<>();
    rules(operator)
        .forEach((rule, found) -> {
          if (RULES.stream().anyMatch(one -> one.name().equals(rule) && one.isInPaper())) {
            union.addAll(found);
          }
        });
    return List.copyOf(union);
  }

  /** All implementations by logical operator id. */
  public Map<String, List<PhysicalOperator>> union() {
    Map<String, List<PhysicalOperator>> union = new LinkedHashMap<>();
    byRule.keySet().forEach(operator -> union.put(operator, new ArrayList<>(of(operator))));
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

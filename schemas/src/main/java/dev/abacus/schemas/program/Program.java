package dev.abacus.schemas.program;

import dev.abacus.schemas.objective.Objective;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A declarative program of semantic operators: from source topics, through operators, to a results
 * topic. {@link ProgramParser} reads and checks it.
 *
 * @param name lower-case letters, digits and hyphens; prefix of topics, ids and metrics
 * @param references collections that top-k and joins look into
 * @param operators in the order written; every operator's input stands before it
 * @param budget for the search; null means {@link SampleBudget#SAMPLES_PER_OPERATOR} per semantic
 *     operator
 * @param spending cap on live documents; null means none
 * @param models names of the model catalogue that implementations may use; empty means all
 * @param judge the model that scores outputs without a label
 * @param governance what the governor is asked for, beside the spending cap
 */
public record Program(
    String name,
    List<Source> sources,
    List<Reference> references,
    List<LogicalOperator> operators,
    Results results,
    Objective objective,
    @Nullable SampleBudget budget,
    @Nullable Spending spending,
    Validation validation,
    List<String> models,
    String judge,
    Ordering ordering,
    Governance governance) {

  /** The paper's judge (section 2.2). */
  public static final String DEFAULT_JUDGE = "o4-mini";

  public Program {
    sources = List.copyOf(sources);
    references = List.copyOf(references);
    operators = List.copyOf(operators);
    models = List.copyOf(models);
    Objects.requireNonNull(results, "results");
    Objects.requireNonNull(objective, "objective");
  }

  /** A program that asks nothing of the governor. */
  public Program(
      String name,
      List<Source> sources,
      List<Reference> references,
      List<LogicalOperator> operators,
      Results results,
      Objective objective,
      @Nullable SampleBudget budget,
      @Nullable Spending spending,
      Validation validation,
      List<String> models,
      String judge,
      Ordering ordering) {
    this(
        name,
        sources,
        references,
        operators,
        results,
        objective,
        budget,
        spending,
        validation,
        models,
        judge,
        ordering,
        Governance.NONE);
  }

  /** The source of that name. */
  public Source source(String sourceName) {
    return sources.stream()
        .filter(source -> source.name().equals(sourceName))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no source '" + sourceName + "' in " + name));
  }

  /** The reference of that name, or null. */
  public @Nullable Reference reference(String referenceName) {
    return references.stream()
        .filter(reference -> reference.name().equals(referenceName))
        .findFirst()
        .orElse(null);
  }

  /** The operator of that id, or null. */
  public @Nullable LogicalOperator operator(String id) {
    return operators.stream().filter(operator -> operator.id().equals(id)).findFirst().orElse(null);
  }

  /** Operators that a model carries out, in the order written. */
  public List<LogicalOperator> semanticOperators() {
    return operators.stream().filter(LogicalOperator::isSemantic).toList();
  }

  /** The budget for the search, the default filled in. */
  public SampleBudget sampleBudget() {
    return budget != null
        ? budget
        : new SampleBudget.Invocations(
            SampleBudget.SAMPLES_PER_OPERATOR * Math.max(1, semanticOperators().size()));
  }

  /** This program with other operators, each input standing before what takes it. */
  public Program withOperators(List<LogicalOperator> others) {
    return new Program(
        name,
        sources,
        references,
        others,
        results,
        objective,
        budget,
        spending,
        validation,
        models,
        judge,
        ordering,
        governance);
  }

  /** This program under another objective. */
  public Program withObjective(Objective other) {
    return new Program(
        name,
        sources,
        references,
        operators,
        results,
        other,
        budget,
        spending,
        validation,
        models,
        judge,
        ordering,
        governance);
  }

  /** This program under another budget. */
  public Program withBudget(@Nullable SampleBudget otherBudget, @Nullable Spending otherSpending) {
    return new Program(
        name,
        sources,
        references,
        operators,
        results,
        objective,
        otherBudget,
        otherSpending,
        validation,
        models,
        judge,
        ordering,
        governance);
  }
}

package dev.abacus.schemas.plan;

import dev.abacus.schemas.objective.Dimension;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A plan without an epoch. Searches compare such plans, and frontiers contain them.
 *
 * @param steps in execution order
 * @param estimate per source document
 * @param spread how sure the estimate is; null if unknown
 * @param mixture a second plan for a share of the documents; null if all get these steps
 */
public record PlanChoice(
    List<PlanStep> steps, Estimate estimate, @Nullable Spread spread, @Nullable Mixture mixture) {

  public PlanChoice {
    steps = List.copyOf(steps);
  }

  /** A plan of which nobody knows how sure its estimate is. */
  public PlanChoice(List<PlanStep> steps, Estimate estimate) {
    this(steps, estimate, null, null);
  }

  /** The plan with what is known of the errors of its estimate. */
  public PlanChoice with(@Nullable Spread known) {
    return with(estimate, known);
  }

  /** The plan with another estimate. */
  public PlanChoice with(Estimate other, @Nullable Spread known) {
    return new PlanChoice(steps, other, known, mixture);
  }

  /** This plan for most keys, and another one for a share of them, in (0, 1). */
  public PlanChoice mixedWith(PlanChoice other, double share) {
    return new PlanChoice(
        steps,
        estimate.mixedWith(other.estimate, share),
        null,
        new Mixture(share, other, estimate));
  }

  /** The plans that documents get, with their own estimates: one, or the two of a mixture. */
  public List<PlanChoice> parts() {
    return mixture == null
        ? List.of(this)
        : List.of(new PlanChoice(steps, mixture.others()), mixture.plan());
  }

  /** The mean over documents of an estimate of each of {@link #parts}. */
  public Estimate mean(Function<PlanChoice, Estimate> estimates) {
    List<Estimate> means = parts().stream().map(estimates).toList();
    return mixture == null
        ? means.getFirst()
        : means.getFirst().mixedWith(means.getLast(), mixture.share());
  }

  /**
   * The steps of a document.
   *
   * @param mixed whether it gets the second plan of the mixture
   */
  public List<PlanStep> steps(boolean mixed) {
    return mixed && mixture != null ? mixture.plan().steps() : steps;
  }

  /** The steps that some documents get, each once. */
  public List<PlanStep> allSteps() {
    return mixture == null
        ? steps
        : Stream.concat(steps.stream(), mixture.differing(steps).stream()).toList();
  }

  /** Whether a step calls one of these chat models. */
  public boolean callsAny(Set<String> models) {
    return allSteps().stream()
        .flatMap(step -> step.physical().chatModels().stream())
        .anyMatch(models::contains);
  }

  /** The implementation of a step; of a mixture, that of both plans: {@code a, for 30 % … b}. */
  public String implementation(PlanStep step) {
    String own = step.physical().id();
    return mixture == null
        ? own
        : mixture.differing(steps).stream()
            .filter(other -> other.logical().id().equals(step.logical().id()))
            .map(other -> "%s, for %s %s".formatted(own, mixture.keys(), other.physical().id()))
            .findFirst()
            .orElse(own);
  }

  /** {@code operator=implementation} of the semantic operators, in execution order. */
  public List<String> semanticSteps() {
    return steps.stream()
        .filter(step -> step.logical().isSemantic())
        .map(step -> step.logical().id() + "=" + implementation(step))
        .toList();
  }

  /** Whether all documents get the same steps from both plans, whatever is known of them. */
  public boolean hasStepsOf(PlanChoice other) {
    return steps.equals(other.steps)
        && (mixture == null
            ? other.mixture == null
            : other.mixture != null && mixture.hasStepsOf(other.mixture));
  }

  /** The mean of a dimension with its 95 % interval, if it is known how sure the mean is. */
  public Range range(Dimension dimension) {
    double mean = estimate.get(dimension);
    Double deviation = spread == null ? null : spread.get(dimension);
    if (spread == null || deviation == null) {
      return Range.of(mean);
    }
    double half = Quantiles.student(spread.freedom()) * deviation;
    double most = dimension == Dimension.QUALITY ? 1 : Double.MAX_VALUE;
    return Range.within(mean, mean - half, mean + half, 0, most);
  }

  /** Whether prompts of a step show labelled examples. */
  public boolean showsExamples() {
    return allSteps().stream().anyMatch(step -> step.physical().examples() > 0);
  }

  /**
   * {@code logical=physical} of every step, in execution order; unique within a program. Of a
   * mixture, those of both plans.
   */
  public String signature() {
    StringBuilder signature = new StringBuilder();
    for (PlanStep step : steps) {
      signature
          .append(signature.isEmpty() ? "" : " -> ")
          .append(step.logical().id())
          .append('=')
          .append(step.physical().id());
    }
    if (mixture != null) {
      signature
          .append(" | ")
          .append(mixture.keys())
          .append(": ")
          .append(mixture.plan().signature());
    }
    return signature.toString();
  }
}

package dev.abacus.optimizer.sampling;

/**
 * What further samples are for, so that a policy can tell when they are not worth their price. They
 * are stated only while the chosen plan keeps its bounds with the required probability: a bound has
 * no price.
 *
 * @param documents number of source documents that the plan is for; infinite if unknown
 * @param judgeUsd mean price of a sample in USD beside the implementation's own cost
 * @param tolerance difference in quality, in [0, 1], that does not decide between plans
 */
public record Stakes(double documents, double judgeUsd, double tolerance) {

  public Stakes {
    if (!(documents >= 0 && judgeUsd >= 0 && tolerance >= 0)) {
      throw new IllegalArgumentException(
          "%s documents, judge %s, tolerance %s".formatted(documents, judgeUsd, tolerance));
    }
  }
}

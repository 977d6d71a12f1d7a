package dev.abacus.optimizer.search.rule;

/** A pattern and what it may be replaced by. */
public sealed interface Rule permits TransformationRule, ImplementationRule {

  /** Its name in explanations: the name of its class. */
  default String name() {
    return getClass().getSimpleName();
  }
}

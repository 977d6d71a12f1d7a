package dev.abacus.optimizer.search.rule;

/** A pattern over logical operators and what it is replaced by. */
public sealed interface Rule permits TransformationRule, ImplementationRule {

  /** The name of the rule in reports: the simple name of its class. */
  default String name() {
    return getClass().getSimpleName();
  }
}

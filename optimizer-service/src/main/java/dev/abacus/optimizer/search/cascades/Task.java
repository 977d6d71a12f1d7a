package dev.abacus.optimizer.search.cascades;

/** A task on the stack of the search (paper, section 3.1). */
sealed interface Task
    permits OptimizeGroup,
        OptimizeGroup.OfferSides,
        OptimizeLogicalExpression,
        ApplyRule,
        OptimizePhysicalExpression {

  /** Does the work and pushes the following tasks in reverse order. */
  void perform(CascadesSearch search);
}

package dev.abacus.optimizer.search.cascades;

/** One piece of work of the search (paper, section 3.1). */
sealed interface Task
    permits OptimizeGroup, OptimizeLogicalExpression, ApplyRule, OptimizePhysicalExpression {

  /** Does the work; pushes what is to be done next, the first of it last. */
  void perform(CascadesSearch search);
}

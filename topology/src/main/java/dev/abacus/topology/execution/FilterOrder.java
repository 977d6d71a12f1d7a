package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PlanStep;
import java.util.List;

/** The order in which one document meets adjacent filters. */
public interface FilterOrder {

  /**
   * The filters in the order of the document.
   *
   * @param filters two or more, in the order of the plan
   * @throws InterruptedException if the thread is interrupted
   */
  List<PlanStep> of(List<PlanStep> filters, Document document) throws InterruptedException;

  /** Whether the others are asked, too, after one has dropped the document. */
  boolean asksAll(List<PlanStep> filters);
}

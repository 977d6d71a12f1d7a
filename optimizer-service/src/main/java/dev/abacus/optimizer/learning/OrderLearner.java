package dev.abacus.optimizer.learning;

import dev.abacus.schemas.plan.LearnedOrder;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides in which order documents meet adjacent filters: one of their own, if audited documents
 * show that it is cheaper than the best fixed one; that of the plan, with audits, while they may
 * still show it; else that of the plan. Audits begin when answers turn out to follow from the text,
 * and again when twice as many have come, so filters without a signal cost nothing.
 */
final class OrderLearner {

  /** An order is learnt anew whenever there are so many times as many answers. */
  private static final double GROWTH = 1.25;

  private final List<AnswerLearner> filters;
  private final double audit;
  private final long answers;

  /** The orders of these filters in the active plan and in the later ones. */
  private final List<LearnedOrder> known;

  private final @Nullable LearnedOrder current;

  private OrderLearner(List<AnswerLearner> filters, double audit, List<PhysicalPlan> plans) {
    Set<String> questions =
        filters.stream().map(one -> one.subject().question()).collect(Collectors.toSet());
    this.filters = filters;
    this.audit = audit;
    this.answers = filters.stream().mapToLong(AnswerLearner::answers).sum();
    this.known =
        plans.stream()
            .flatMap(plan -> plan.orders().stream())
            .filter(order -> order.audit() == audit && order.questions().equals(questions))
            .distinct()
            .toList();
    this.current =
        plans.getFirst().orders().stream().filter(known::contains).findFirst().orElse(null);
  }

  /**
   * The orders of the adjacent filters of a plan.
   *
   * @param learnt of the plan's operators
   * @param audit share of the documents that all filters are asked about
   * @param plans the active one, then the later ones, which were rolled back
   */
  static List<LearnedOrder> orders(
      List<AnswerLearner> learnt, double audit, List<PhysicalPlan> plans) {
    List<LearnedOrder> orders = new ArrayList<>();
    for (List<PlanStep> run : LearnedOrder.runs(plans.getFirst().steps())) {
      Set<String> ids = run.stream().map(step -> step.logical().id()).collect(Collectors.toSet());
      List<AnswerLearner> filters =
          learnt.stream()
              .filter(one -> ids.contains(one.subject().operator()))
              .filter(one -> one.chances() != null)
              .toList();
      LearnedOrder order =
          filters.size() == run.size() ? new OrderLearner(filters, audit, plans).order() : null;
      if (order != null) {
        orders.add(order);
      }
    }
    return orders;
  }

  private @Nullable LearnedOrder order() {
    if (current == null && !known.isEmpty() && isRecent(known.getLast())) {
      return known.getLast(); // Rolled back: nothing else is published before more is learnt.
    }
    OrderEvidence evidence = OrderEvidence.of(filters, audit, answers / 2);
    if (evidence == null) {
      return current == null && mayPay() ? published(null) : current;
    }
    boolean ordered = current != null && current.predicted() != null;
    if (evidence.pays() || (ordered && evidence.gain().mean() > 0)) {
      return published(evidence);
    }
    return evidence.mayPay() ? published(null) : null;
  }

  /** Whether answers follow from the text, and audits have not shown of late that no order pays. */
  private boolean mayPay() {
    OrderEvidence all = OrderEvidence.of(filters, audit, 0);
    boolean shown = all != null && all.latest() >= answers / 2 && !all.mayPay();
    return !shown && filters.stream().anyMatch(one -> one.record().followsFromText());
  }

  /**
   * A known order, so that nothing is published for little news, or else one by the latest fits.
   *
   * @param evidence null for the order of the plan
   */
  private LearnedOrder published(@Nullable OrderEvidence evidence) {
    return known.stream()
        .filter(order -> (order.predicted() == null) == (evidence == null))
        .filter(order -> isRecent(order) || (evidence == null && order.equals(current)))
        .findFirst()
        .orElseGet(() -> latest(evidence));
  }

  private boolean isRecent(LearnedOrder order) {
    return answers < GROWTH * order.answers();
  }

  private LearnedOrder latest(@Nullable OrderEvidence evidence) {
    Map<String, LearnedOrder.Chance> chances = new TreeMap<>();
    for (int i = 0; i < filters.size(); i++) {
      AnswerLearner filter = filters.get(i);
      TrainedClassifier fit = Objects.requireNonNull(filter.chances());
      double cost = evidence == null ? 0 : evidence.calls()[i];
      chances.put(
          filter.subject().operator(),
          new LearnedOrder.Chance(filter.subject().question(), cost, fit));
    }
    return new LearnedOrder(
        filters.getFirst().subject().embedder(),
        audit,
        answers,
        chances,
        evidence == null ? null : evidence.predicted());
  }
}

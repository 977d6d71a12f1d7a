package dev.abacus.optimizer.learning;

import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.LearningReport;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.plan.LearnedAnswers;
import dev.abacus.schemas.plan.LearnedOrder;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Spread;
import dev.abacus.schemas.plan.TrainedClassifier;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Learns from the live documents of one program, and puts what it has learnt into plans. {@link
 * #take} folds answers; {@link #decide} returns records for the control topic. Has no clock and
 * does no I/O.
 *
 * <p>A plan with classifiers or orders of filters has the steps, estimates and promise of the plan
 * that it follows, and an epoch of its own. So the search and the governor take it for the same
 * plan, a canary and a rollback work as for any other, and each document is processed by one plan.
 */
public final class LiveLearner {

  /**
   * Implementations of one operator that are learnt about: those with the latest answers. A learner
   * may have 100 MB of embeddings.
   */
  private static final int KEPT_OF_OPERATOR = 4;

  private final Executor fitting;

  /** The one with the latest answer is the last. */
  private final Map<Subject, AnswerLearner> learners = new LinkedHashMap<>(16, 0.75f, true);

  /** What is learnt: the answers to one question, by embeddings of one model. */
  record Subject(String operator, String question, String embedder, double target) {}

  /**
   * A learner that knows nothing.
   *
   * @param fitting runs fits, which may take a minute
   */
  public LiveLearner(Executor fitting) {
    this.fitting = fitting;
  }

  /**
   * Takes in an answer. A changed target begins anew with the answers that follow, until the topic
   * is read again.
   */
  public void take(LiveAnswer answer, Learning learning) {
    Subject subject =
        new Subject(answer.operator(), answer.question(), answer.embedder(), learning.target());
    learners.computeIfAbsent(subject, one -> new AnswerLearner(one, fitting)).take(answer);
    List<Subject> ofOperator =
        learners.keySet().stream().filter(one -> one.operator().equals(answer.operator())).toList();
    if (ofOperator.size() > KEPT_OF_OPERATOR) {
      learners.remove(ofOperator.getFirst());
    }
  }

  /** Learns from what was taken in. */
  public void learn() {
    learners.values().forEach(AnswerLearner::learn);
  }

  /**
   * The plan to publish and activate now; empty if what was learnt is in force, waits for a fit, or
   * was rolled back. A plan that a user or the governor has put into force stays as it is.
   *
   * @param active the last activation; null before the first plan
   * @param plans by epoch
   * @param nextEpoch epoch of the next plan
   */
  public List<ControlRecord> decide(
      Program program,
      ControlRecord.@Nullable Activated active,
      SortedMap<Long, PhysicalPlan> plans,
      long nextEpoch) {
    PhysicalPlan plan = active == null ? null : plans.get(active.epoch());
    if (active == null
        || plan == null
        || active.share() < 1
        || plan.choice().mixture() != null
        || active.byUser()
        || (active.by().equals(ControlRecord.GOVERNOR) && active.beside() != null)) {
      return List.of();
    }
    Learning learning = program.learning();
    List<AnswerLearner> learnt = learning == null ? List.of() : learnt(plan, learning);
    if (learnt.stream().anyMatch(one -> one.isPending())) {
      return List.of();
    }
    Map<String, LearnedAnswers> wanted = new TreeMap<>();
    boolean mayAnswer =
        learning != null && learning.answers() && withheld(program, plan, learnt.size()) == null;
    for (AnswerLearner one : learnt) {
      TrainedClassifier classifier = one.classifier();
      if (learning != null && mayAnswer && classifier != null) {
        wanted.put(
            one.subject().operator(),
            new LearnedAnswers(
                one.subject().question(), one.subject().embedder(), learning.audit(), classifier));
      }
    }
    List<LearnedOrder> orders =
        learning == null
            ? List.of()
            : OrderLearner.orders(
                learnt, learning.audit(), List.copyOf(plans.tailMap(plan.epoch()).values()));
    boolean rolledBack =
        plans.tailMap(plan.epoch() + 1).values().stream()
            .anyMatch(later -> later.learned().equals(wanted) && later.orders().equals(orders));
    if ((wanted.equals(plan.learned()) && orders.equals(plan.orders())) || rolledBack) {
      return List.of();
    }
    PhysicalPlan next = plan.withLearned(nextEpoch, wanted, orders);
    return List.of(
        new ControlRecord.PlanPublished(next),
        activation(program, active, next, reason(plan, next, learnt)));
  }

  /**
   * Why no classifier may answer, as a clause; null if they may. Where a program says that they
   * shall, they may. Where it says nothing, its bound on quality has to hold even if each of them
   * is wrong as often as the target allows.
   *
   * @param classifiers how many operators they may answer for
   */
  private static @Nullable String withheld(Program program, PhysicalPlan plan, int classifiers) {
    if (!program.learnsUnasked()) {
      return null;
    }
    double mistakes = classifiers * (1 - Learning.DEFAULT.target());
    return program.objective().bounds().stream()
        .filter(bound -> bound.dimension() == Dimension.QUALITY)
        .filter(bound -> !isKept(plan, Math.min(1, bound.limit() + mistakes)))
        .map(bound ->
            String.format(
                Locale.ROOT,
                "%s might not hold if they are wrong for %.2f of the documents",
                bound,
                mistakes))
        .findFirst()
        .orElse(null);
  }

  private static boolean isKept(PhysicalPlan plan, double quality) {
    Spread spread = plan.choice().spread();
    Double probability =
        spread == null
            ? null
            : spread.probability(plan.choice().estimate(), new Bound(Dimension.QUALITY, quality));
    return probability != null && probability >= plan.required();
  }

  /** The learners of the plan's steps. */
  private List<AnswerLearner> learnt(PhysicalPlan plan, Learning learning) {
    List<AnswerLearner> learnt = new ArrayList<>();
    for (PlanStep step : plan.steps()) {
      String operator = step.logical().id();
      if (!AnswerClasses.areClosed(step.logical())
          || learners.keySet().stream().noneMatch(known -> known.operator().equals(operator))) {
        continue;
      }
      String question = LiveAnswer.question(step);
      learners.values().stream()
          .filter(known ->
              known.subject().operator().equals(operator)
                  && known.subject().question().equals(question)
                  && known.subject().target() == learning.target())
          .findFirst()
          .ifPresent(learnt::add);
    }
    return learnt;
  }

  /** Activates the plan for all documents, or for a share if the program asks for a canary. */
  private static ControlRecord.Activated activation(
      Program program, ControlRecord.Activated active, PhysicalPlan plan, String reason) {
    Double share = program.governance().canary();
    return new ControlRecord.Activated(
        program.name(),
        plan.epoch(),
        share == null ? 1 : share,
        reason,
        ControlRecord.OPTIMIZER,
        share == null ? null : active.epoch());
  }

  private static String reason(PhysicalPlan before, PhysicalPlan next, List<AnswerLearner> learnt) {
    List<String> taught = new ArrayList<>();
    learnt.stream()
        .filter(one -> next.learned().containsKey(one.subject().operator()))
        .map(one ->
            "a classifier of '%s' from %d answers"
                .formatted(one.subject().operator(), one.answers()))
        .forEach(taught::add);
    next.orders().stream().map(LearnedOrder::describe).forEach(taught::add);
    String withdrawn =
        before.learned().keySet().stream()
            .filter(operator -> !next.learned().containsKey(operator))
            .map(operator -> "'" + operator + "'")
            .collect(Collectors.joining(", "));
    return "learnt from live documents: "
        + (taught.isEmpty() ? "no classifier and no order" : String.join(", ", taught))
        + (withdrawn.isEmpty() ? "" : "; none answers for " + withdrawn + " any more")
        + (before.orders().size() > next.orders().size()
            ? "; another order of filters does not pay"
            : "");
  }

  /** What was learnt for the steps of a plan; empty if nothing is to be learnt. */
  public List<LearningReport> report(Program program, PhysicalPlan plan) {
    Learning learning = program.learning();
    List<AnswerLearner> learnt = learning == null ? List.of() : learnt(plan, learning);
    String withheld = withheld(program, plan, learnt.size());
    return learnt.stream().map(one -> one.report(withheld)).toList();
  }
}

package dev.abacus.optimizer.learning;

import dev.abacus.optimizer.learned.LabelledVector;
import dev.abacus.optimizer.learning.AgreementChecks.Agreement;
import dev.abacus.optimizer.learning.AgreementChecks.Check;
import dev.abacus.optimizer.learning.FittedAnswers.Example;
import dev.abacus.optimizer.learning.LiveLearner.Subject;
import dev.abacus.optimizer.sequential.BettingTest;
import dev.abacus.optimizer.sequential.ChangeDetector;
import dev.abacus.schemas.control.LearningReport;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Learns a classifier from the answers of one implementation. It is fitted anew whenever there are
 * a tenth more answers, and every answer is a check of the latest fit ({@link AgreementChecks}).
 * From the first confidence on at which the answers are shown to agree with the implementation as
 * often as the target, the latest fit answers. Each decision, two for each fit, may lower that
 * confidence, and raises it if the latest checks do not confirm it.
 *
 * <p>Documents that are not like those of the checks are told by answers that no fit has seen
 * before: while there are many, nothing is answered, and a fit follows soon. Audits tell the rest:
 * if they show that the classifier agrees less often than the target, it is withdrawn, and the
 * checks begin anew.
 *
 * <p>The result depends on the order of the answers alone, not on the time that a fit takes:
 * answers wait until it is done.
 */
final class AnswerLearner {

  /** Number of answers at the first fit, and at most before the one that follows a withdrawal. */
  private static final int FIRST_FIT = 100;

  /** Least number of answers between two fits. */
  private static final int BETWEEN_FITS = 20;

  private static final double GROWTH = 1.1;

  /** Between two fits there is one more decision about the first, by the checks since. */
  private static final double GROWTH_TO_DECISION = 1.05;

  /** The latest answers that a fit uses. */
  private static final int MOST_EXAMPLES = 16_384;

  /** The latest checks that count; a quarter of them is forgotten when there are more. */
  private static final int MOST_CHECKS = 65_536;

  /** Number of checks before anything is answered. */
  private static final int LEAST_CHECKS = 200;

  /** Share of answers that no fit has seen before which shows that documents change. */
  private static final double UNSEEN = 0.02;

  /** Fewer answers that no fit has seen before do not withdraw a classifier. */
  private static final int MANY_UNSEEN = 5;

  /** Evidence of the audits at which a classifier is withdrawn. */
  private static final double WITHDRAWN = 1000;

  /** Half the width of a 95 % interval in standard errors. */
  private static final double DEVIATIONS = 1.96;

  private final Subject subject;
  private final double target;
  private final Executor fitting;
  private final Deque<LiveAnswer> waiting = new ArrayDeque<>();
  private final Deque<Example> examples = new ArrayDeque<>();
  private final List<Check> checks = new ArrayList<>();
  private final FilterRecord record = new FilterRecord();
  private @Nullable CompletableFuture<@Nullable FittedAnswers> fit;
  private @Nullable FittedAnswers latest;
  private @Nullable TrainedClassifier classifier;
  private double confidence = TrainedClassifier.NEVER;
  private ChangeDetector detector = ChangeDetector.START;

  /** Number of checks at the last fit and at the one before. */
  private int checksAtFit;

  private int checksBefore;
  private long answers;
  private long answersAtFit;
  private long answersAtDecision;
  private long nextFit = FIRST_FIT;
  private int unseen;
  private boolean caughtUp;

  /** Audited documents of all plans, and those whose classifier agreed. */
  private long audits;

  private long agreeing;
  private double unasked;

  /**
   * A learner that knows nothing.
   *
   * @param subject with the share of the answers that have to agree, in (0.5, 1)
   * @param fitting runs fits, which may take a minute
   */
  AnswerLearner(Subject subject, Executor fitting) {
    this.subject = subject;
    this.target = subject.target();
    this.fitting = fitting;
  }

  /** What it learns. */
  Subject subject() {
    return subject;
  }

  /** Takes in the next answer. */
  void take(LiveAnswer answer) {
    waiting.add(answer);
  }

  /** Learns from the answers that were taken in; ends early at a fit that is not done. */
  void learn() {
    while (isFitted() && !waiting.isEmpty()) {
      learn(waiting.remove());
    }
    caughtUp |= fit == null && waiting.isEmpty();
  }

  /**
   * Whether the answers of the past are not learnt from yet. Answers that come while a later fit
   * runs wait too, but what was learnt before holds.
   */
  boolean isPending() {
    return !caughtUp;
  }

  private boolean isFitted() {
    CompletableFuture<@Nullable FittedAnswers> running = fit;
    if (running == null) {
      return true;
    }
    if (!running.isDone()) {
      return false;
    }
    fit = null;
    FittedAnswers made = running.join();
    if (made != null) {
      latest = made;
      decide(made);
    }
    checksBefore = checksAtFit;
    checksAtFit = checks.size();
    answersAtFit = answers;
    unseen = 0;
    return true;
  }

  private void learn(LiveAnswer answer) {
    float[] vector;
    try {
      vector = answer.vector();
    } catch (IllegalArgumentException e) {
      return; // No vector: nothing to learn from.
    }
    if (!isUsable(vector)) {
      return;
    }
    FittedAnswers current = latest;
    record.add(answer, current == null ? Double.NaN : current.chance(vector), answers);
    // The classifier answers no document that another filter has dropped.
    if (answer.isAudit() && !answer.wasDropped()) {
      audit(answer);
    }
    if (current != null && !answer.wasDropped()) {
      check(current.check(vector, answer.answer(), 1 / answer.probability()));
      unseen += current.knows(answer.answer()) ? 0 : 1;
      if (unseen >= MANY_UNSEEN && isChanging()) {
        withdraw();
        nextFit = Math.min(nextFit, answersAtFit + FIRST_FIT);
      }
    }
    answers++;
    if (current != null && answers >= GROWTH_TO_DECISION * answersAtDecision) {
      decide(current);
    }
    examples.add(new Example(answers, vector, answer.answer()));
    if (examples.size() > MOST_EXAMPLES) {
      examples.remove();
    }
    if (answers >= nextFit) {
      nextFit = Math.max(answers + BETWEEN_FITS, (long) (GROWTH * answers));
      fit();
    }
  }

  private void check(Check check) {
    checks.add(check);
    if (checks.size() > MOST_CHECKS) {
      int forgotten = MOST_CHECKS / 4;
      checks.subList(0, forgotten).clear();
      checksAtFit = Math.max(0, checksAtFit - forgotten);
      checksBefore = Math.max(0, checksBefore - forgotten);
    }
  }

  /** Vectors of one embedder have one length. */
  private boolean isUsable(float[] vector) {
    return LabelledVector.isFinite(vector)
        && (examples.isEmpty() || examples.getFirst().vector().length == vector.length);
  }

  private void audit(LiveAnswer answer) {
    double wrong = answer.answer().equals(answer.predicted()) ? 0 : 1;
    audits++;
    agreeing += wrong == 0 ? 1 : 0;
    unasked += (1 - answer.probability()) / answer.probability();
    if (classifier == null) {
      return; // Of a plan before the withdrawal.
    }
    detector = detector.with(new BettingTest(1 - target, 1, true), 1, wrong, wrong);
    if (detector.reaches(WITHDRAWN)) {
      withdraw();
      checks.clear();
      checksAtFit = 0;
      checksBefore = 0;
      nextFit = Math.min(nextFit, answers + FIRST_FIT);
    }
  }

  private void withdraw() {
    classifier = null;
    confidence = TrainedClassifier.NEVER;
    detector = ChangeDetector.START;
  }

  /** Whether many answers since the last fit are such as no fit has seen before. */
  private boolean isChanging() {
    return unseen > UNSEEN * (double) (answers - answersAtFit);
  }

  private void fit() {
    List<Example> known = List.copyOf(examples);
    List<Check> fresh = List.copyOf(latestChecks());
    FittedAnswers before = latest;
    fit = CompletableFuture.supplyAsync(() -> FittedAnswers.of(known, fresh, before), fitting);
  }

  /** The checks of the last two fits. */
  private List<Check> latestChecks() {
    return checks.subList(checksBefore, checks.size());
  }

  /** Decides from which confidence on a fit answers. */
  private void decide(FittedAnswers made) {
    answersAtDecision = answers;
    if (checks.size() < LEAST_CHECKS || isChanging()) {
      withdraw();
      return;
    }
    AgreementChecks all = new AgreementChecks(checks);
    Agreement agreement = all.proven(target, unasked);
    if (agreement == null || agreement.confidence() > confidence) {
      agreement = new AgreementChecks(latestChecks()).likely(target, unasked, confidence);
    }
    if (agreement == null) {
      withdraw();
      return;
    }
    confidence = agreement.confidence();
    Map<String, Double> thresholds = all.thresholds(confidence, target, unasked);
    classifier =
        thresholds.isEmpty() ? null : made.trained(thresholds, Math.clamp(agreement.bound(), 0, 1));
  }

  /** The classifier that answers; null if none may. */
  @Nullable TrainedClassifier classifier() {
    return classifier;
  }

  /** What the latest fit says of a filter's answers, whoever may give them; null without a fit. */
  @Nullable TrainedClassifier chances() {
    return latest == null ? null : latest.trained(Map.of(), 0);
  }

  /** How well the answers of a filter were foreseen. */
  FilterRecord record() {
    return record;
  }

  /** Number of answers that were learnt from. */
  long answers() {
    return answers;
  }

  /**
   * What users see of it.
   *
   * @param withheld why its classifier may not answer, as a clause; null if it may
   */
  LearningReport report(@Nullable String withheld) {
    double documents = answers + unasked;
    return new LearningReport(
        subject.operator(),
        subject.target(),
        answers,
        documents == 0 ? 0 : unasked / documents,
        classifier != null && withheld == null,
        audits,
        audits == 0 ? null : Range.ofShare((double) agreeing, (double) audits, DEVIATIONS),
        withheld);
  }

  /**
   * Number of documents that classifiers answered without a call, estimated: an audited one stands
   * for those that were not drawn.
   */
  double unasked() {
    return unasked;
  }
}

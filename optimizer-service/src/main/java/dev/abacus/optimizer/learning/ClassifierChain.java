package dev.abacus.optimizer.learning;

import dev.abacus.optimizer.learned.LabelledVector;
import dev.abacus.optimizer.learned.LogisticRegression;
import dev.abacus.optimizer.sequential.BettingTest;
import dev.abacus.optimizer.sequential.ChangeDetector;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.plan.LinearClassifier;
import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Learns classifiers from the answers of one implementation, one behind the other: the first that
 * is confident answers, and each is tested on the documents that those before it leave, all of
 * which the implementation answers. So no answer has to be weighted by its probability, which is
 * small for audited ones.
 *
 * <p>A candidate is fitted to all answers at doublings of their number, tested on those that
 * follow, and joins the chain when it has passed for enough of them. Its demand is that all
 * classifiers together agree with the implementation at least as often as the target; what those
 * before it are shown to be better is its to use. The risks of all tests sum to {@link #RISK}.
 *
 * <p>Audits are checks of a classifier that answers. If they show that it agrees less often than
 * the target, it leaves the chain, and a new candidate is fitted soon.
 *
 * <p>The result depends on the order of the answers alone, not on the time that a fit takes:
 * answers wait until it is done.
 */
final class ClassifierChain {

  /** Probability that the classifiers agree less often than the target. */
  static final double RISK = 0.05;

  /** Number of answers at the first fit. */
  private static final int FIRST_FIT = 100;

  /** The latest answers that a fit uses. */
  private static final int MOST_EXAMPLES = 16_384;

  /** A larger number of classes would take too long to fit. */
  private static final int MOST_CLASSES = 200;

  /** Number of checks between two tests of a candidate. */
  private static final int BETWEEN_TESTS = 10;

  /** A candidate that may answer less than this share of what reaches it is tested further. */
  private static final double ENOUGH = 0.4;

  /** Before the next candidate replaces it, it may answer less. */
  private static final double LEAST = 0.1;

  /** Evidence of the audits at which a classifier is withdrawn. */
  private static final double WITHDRAWN = 1000;

  private final double target;
  private final Executor fitting;
  private final Runnable fitted;
  private final Deque<LiveAnswer> waiting = new ArrayDeque<>();
  private final Deque<Example> examples = new ArrayDeque<>();
  private final List<Member> members = new ArrayList<>();
  private @Nullable CandidateClassifier candidate;
  private @Nullable CompletableFuture<@Nullable CandidateClassifier> fit;

  /** Weights of the last fit by answer. */
  private Map<String, float[]> weights = Map.of();

  private long answers;
  private long nextFit = FIRST_FIT;
  private int joined;
  private long audits;
  private long agreeing;
  private double unasked;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Example(long number, float[] vector, String answer) {}

  /** A classifier that answers. */
  private static final class Member {
    private final TrainedClassifier trained;
    private final LinearClassifier classifier;
    private final double share;
    private ChangeDetector detector = ChangeDetector.START;

    Member(TrainedClassifier trained, double share) {
      this.trained = trained;
      this.classifier = LinearClassifier.of(trained);
      this.share = share;
    }
  }

  /**
   * A chain without classifiers.
   *
   * @param target share of the answers that have to agree, in (0.5, 1)
   * @param fitting runs fits, which may take a minute
   * @param fitted runs after a fit
   */
  ClassifierChain(double target, Executor fitting, Runnable fitted) {
    this.target = target;
    this.fitting = fitting;
    this.fitted = fitted;
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
  }

  /** Whether answers wait for a fit. */
  boolean isPending() {
    return fit != null || !waiting.isEmpty();
  }

  private boolean isFitted() {
    CompletableFuture<@Nullable CandidateClassifier> running = fit;
    if (running == null) {
      return true;
    }
    if (!running.isDone()) {
      return false;
    }
    CandidateClassifier made = running.join();
    candidate = made;
    weights = made == null ? weights : made.weights();
    fit = null;
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
    if (answer.isAudit()) {
      audits++;
      agreeing += answer.answer().equals(answer.predicted()) ? 1 : 0;
      unasked += (1 - answer.probability()) / answer.probability();
    }
    if (!audit(answer, vector) && candidate != null) {
      candidate.check(vector, answer.answer());
      if (candidate.checks() % BETWEEN_TESTS == 0) {
        join(ENOUGH);
      }
    }
    answers++;
    examples.add(new Example(answers, vector, answer.answer()));
    if (examples.size() > MOST_EXAMPLES) {
      examples.remove();
    }
    if (answers >= nextFit) {
      join(LEAST);
      nextFit = 2 * answers;
      fit();
    }
  }

  /** Vectors of one embedder have one length. */
  private boolean isUsable(float[] vector) {
    for (float component : vector) {
      if (!Float.isFinite(component)) {
        return false;
      }
    }
    return vector.length > 0
        && (examples.isEmpty() || examples.getFirst().vector().length == vector.length);
  }

  /**
   * Whether a classifier of the chain is confident about a document. If it was audited, that is a
   * check; otherwise the plan of the document did not have the classifier yet.
   */
  private boolean audit(LiveAnswer answer, float[] vector) {
    Iterator<Member> all = members.iterator();
    while (all.hasNext()) {
      Member member = all.next();
      String predicted = member.classifier.answer(vector);
      if (predicted != null) {
        if (answer.isAudit()) {
          double wrong = predicted.equals(answer.answer()) ? 0 : 1;
          member.detector =
              member.detector.with(new BettingTest(1 - target, 1, true), 1, wrong, wrong);
          if (member.detector.reaches(WITHDRAWN)) {
            all.remove();
            nextFit = Math.min(nextFit, answers + FIRST_FIT);
          }
        }
        return true;
      }
    }
    return false;
  }

  private void join(double leastShare) {
    CandidateClassifier tested = candidate;
    if (tested == null) {
      return;
    }
    double left = 1 - members.stream().mapToDouble(member -> member.share).sum();
    double spare =
        members.stream()
            .mapToDouble(member -> member.share * (member.trained.precision() - target))
            .sum();
    // Half of the risk for the test, half for the bound that later ones use: RISK / (k (k + 1)).
    double risk = RISK / 2 / ((joined + 1.0) * (joined + 2.0));
    CandidateClassifier.Passed passed =
        tested.test(new CandidateClassifier.Demand(target, risk, left, Math.max(0, spare)));
    if (passed != null && passed.share() >= leastShare) {
      members.add(new Member(tested.classifier(passed, target), passed.share() * left));
      joined++;
      candidate = null;
    }
  }

  private void fit() {
    candidate = null;
    List<Example> known = List.copyOf(examples);
    Map<String, float[]> before = weights;
    CompletableFuture<@Nullable CandidateClassifier> running =
        CompletableFuture.supplyAsync(() -> fit(known, before), fitting);
    fit = running;
    var _ = running.whenComplete((_, _) -> fitted.run());
  }

  /**
   * Fits a candidate.
   *
   * @param before weights of the fit before by answer, near which those of this one are
   */
  private static @Nullable CandidateClassifier fit(
      List<Example> known, Map<String, float[]> before) {
    TreeSet<String> distinct = new TreeSet<>();
    known.forEach(example -> distinct.add(example.answer()));
    List<String> classes = List.copyOf(distinct);
    if (classes.size() < 2 || classes.size() > MOST_CLASSES) {
      return null;
    }
    List<LabelledVector> vectors =
        known.stream()
            .map(example ->
                new LabelledVector(
                    String.valueOf(example.number()),
                    example.vector(),
                    classes.indexOf(example.answer()),
                    false))
            .toList();
    int width = vectors.getFirst().vector().length + 1;
    float[][] start =
        classes.stream()
            .map(answer -> before.getOrDefault(answer, new float[width]))
            .toArray(float[][]::new);
    return new CandidateClassifier(classes, LogisticRegression.fit(vectors, start), known.size());
  }

  /** The classifiers in their order; empty if none may answer. */
  List<TrainedClassifier> classifiers() {
    return members.stream().map(member -> member.trained).toList();
  }

  /** Number of answers that were learnt from. */
  long answers() {
    return answers;
  }

  /** Number of audited documents, of all plans. */
  long audits() {
    return audits;
  }

  /** Number of audited documents whose classifier agreed with the implementation. */
  long agreeing() {
    return agreeing;
  }

  /**
   * Number of documents that classifiers answered without a call, estimated: an audited one stands
   * for those that were not drawn.
   */
  double unasked() {
    return unasked;
  }
}

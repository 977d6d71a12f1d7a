package dev.abacus.optimizer.learning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.plan.LinearClassifier;
import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is learnt from live answers against the truth of simulated streams. */
class AnswerLearnerTest {

  private static final double TARGET = 0.9;

  @Test
  void callsOfTheModelFall() {
    SimulatedStream stream = stream(1, 0.4, 0.02, IntUnaryOperator.identity());
    run(stream, 1000, 6);
    stream.takeCalls();
    run(stream, 1000, 6);
    assertThat(stream.takeCalls()).isLessThan(250);
    assertThat(stream.leastAgreement()).isGreaterThanOrEqualTo(TARGET);
  }

  @Test
  void auditsTellHowManyDocumentsNeededNoCall() {
    SimulatedStream stream = stream(3, 0.4, 0.02, IntUnaryOperator.identity());
    run(stream, 4000, 6);
    double unasked = 4000 - stream.takeCalls();
    assertThat(stream.learner().unasked()).isBetween(0.75 * unasked, 1.25 * unasked);
  }

  @Test
  void answersThatTheModelCannotRepeatAreNotLearnt() {
    SimulatedStream stream = stream(1, 0.3, 0.3, IntUnaryOperator.identity());
    run(stream, 2000, 6);
    assertThat(stream.answered()).isZero();
    assertThat(stream.takeCalls()).isEqualTo(2000);
  }

  @Test
  void theAgreementIsBelowTheTargetInAtMostOneRunOfTwenty() {
    List<SimulatedStream> streams = SimulatedStream.ofSeeds(200, 4, 0.9, 0.03, TARGET);
    streams.forEach(stream -> run(stream, 2500, 4));
    assertThat(streams.stream().filter(stream -> stream.answered() > 0)).hasSizeGreaterThan(150);
    assertThat(streams.stream().filter(stream -> stream.leastAgreement() < TARGET))
        .hasSizeLessThanOrEqualTo(10);
  }

  /** The model answers documents of class 0 otherwise in 30 % of the cases, unforeseeably. */
  @Test
  void aClassThatErrsThreeTimesAsOftenAsAllowedIsAsked() {
    List<SimulatedStream> streams =
        IntStream.range(0, 100)
            .mapToObj(seed -> {
              Random coin = new Random(seed);
              return stream(
                  seed, 0.3, 0, answer -> answer == 0 && coin.nextDouble() < 0.3 ? 1 : answer);
            })
            .toList();
    streams.forEach(stream -> run(stream, 2500, 6));
    assertThat(streams.stream().filter(stream -> stream.hasGiven(0))).hasSizeLessThanOrEqualTo(10);
    assertThat(streams.stream().filter(stream -> stream.hasGiven(2))).hasSizeGreaterThan(90);
  }

  /** To give always the other answer would agree for 95 %. */
  @Test
  void ofTwoAnswersTheRareOneLosesNoMoreThanTheTargetAllows() {
    List<SimulatedStream> streams =
        withRareAnswer(60, 2, random -> random.nextDouble() < 0.05 ? 0 : 1);
    assertThat(streams.stream().filter(stream -> stream.takenFrom(0) > 1 - TARGET))
        .hasSizeLessThanOrEqualTo(6);
    assertThat(streams.stream().filter(stream -> stream.answered() > 2000)).hasSizeGreaterThan(40);
  }

  @Test
  void aRareAnswerAmongMoreIsSeldomTakenByAFrequentOne() {
    List<SimulatedStream> streams =
        withRareAnswer(
            40, 3, random -> random.nextDouble() < 0.03 ? 0 : random.nextInt(10) < 3 ? 2 : 1);
    assertThat(streams.stream().filter(stream -> stream.takenFrom(0) > 2 * (1 - TARGET)))
        .hasSizeLessThanOrEqualTo(5);
    assertThat(streams.stream().filter(stream -> stream.answered() > 2000)).hasSizeGreaterThan(30);
  }

  /** Streams in which answer 0 is rare and looks like others. */
  private static List<SimulatedStream> withRareAnswer(
      int seeds, int classes, ToIntFunction<Random> next) {
    List<SimulatedStream> streams = SimulatedStream.ofSeeds(seeds, classes, 1.2, 0, TARGET);
    for (int seed = 0; seed < seeds; seed++) {
      Random random = new Random(seed);
      for (int i = 0; i < 4000; i++) {
        streams.get(seed).nextOf(next.applyAsInt(random));
      }
    }
    return streams;
  }

  @Test
  void aClassifierWhoseAnswersHaveChangedIsWithdrawn() {
    boolean[] changed = new boolean[1];
    SimulatedStream stream = stream(1, 0.3, 0, answer -> changed[0] ? (answer + 1) % 6 : answer);
    run(stream, 1500, 6);
    assertThat(stream.learner().classifier()).isNotNull();
    changed[0] = true;
    int audits = stream.audits();
    while (stream.learner().classifier() != null) {
      stream.next(6);
    }
    assertThat(stream.audits() - audits).isLessThanOrEqualTo(15);
  }

  @Test
  void documentsLikeNothingSeenBeforeAreAsked() {
    SimulatedStream stream = stream(1, 0.3, 0, IntUnaryOperator.identity());
    run(stream, 1500, 3);
    assertThat(stream.learner().classifier()).isNotNull();
    stream.takeCalls();
    for (int i = 0; i < 50; i++) {
      stream.nextOf(5);
    }
    assertThat(stream.takeCalls()).isGreaterThanOrEqualTo(40);
  }

  /** A fit to few answers knows its own documents by heart, and others score lower. */
  @Test
  void documentsLikeThoseBeforeAreNotTakenForNew() {
    SimulatedStream stream =
        new SimulatedStream(1, 20, 200, 2, 0, TARGET, 0.05, IntUnaryOperator.identity());
    run(stream, 400, 20);
    TrainedClassifier fit = Objects.requireNonNull(stream.learner().chances());
    LinearClassifier whateverTheConfidence =
        LinearClassifier.of(
            new TrainedClassifier(
                fit.classes(),
                fit.weights(),
                Collections.nCopies(fit.classes().size(), 0.0),
                fit.precision(),
                fit.examples(),
                fit.leastScore()));
    assertThat(
            IntStream.range(0, 2000)
                .filter(i -> whateverTheConfidence.answer(stream.vector(i % 20)) == null)
                .count())
        .isBetween(10L, 140L);
  }

  @Test
  void aClassThatNoFitHasSeenWithdrawsTheClassifier() {
    SimulatedStream stream = stream(2, 0.3, 0, IntUnaryOperator.identity());
    run(stream, 1500, 3);
    assertThat(stream.learner().classifier()).isNotNull();
    for (int i = 0; i < 20; i++) {
      stream.nextOf(5);
    }
    assertThat(stream.learner().classifier()).isNull();
  }

  @Test
  void theSameAnswersYieldTheSameClassifier() {
    assertThat(
            Stream.of(1, 2)
                .map(_ -> {
                  SimulatedStream stream = stream(7, 0.5, 0.02, IntUnaryOperator.identity());
                  run(stream, 1200, 6);
                  return stream.learner().classifier();
                })
                .distinct())
        .hasSize(1);
  }

  private static SimulatedStream stream(
      int seed, double spread, double noise, IntUnaryOperator meaning) {
    return new SimulatedStream(seed, 6, spread, noise, TARGET, 0.05, meaning);
  }

  private static void run(SimulatedStream stream, int documents, int classes) {
    for (int i = 0; i < documents; i++) {
      stream.next(classes);
    }
  }
}

package dev.abacus.optimizer.learning;

import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.plan.LinearClassifier;
import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * A stream of documents with known right answers, the model that answers them, and the workers that
 * follow the plan: a simulation without Kafka. Each class is a cloud in the space of embeddings.
 */
final class SimulatedStream {

  private static final int DIMENSIONS = 12;

  private final Random random;
  private final double audit;
  private final double noise;
  private final float[][] centres;
  private final double spread;
  private final AnswerLearner learner;
  private final IntUnaryOperator meaning;

  private int documents;
  private int calls;
  private int audits;
  private double agreeing;
  private int answered;
  private double least = 1;
  private final Set<String> given = new HashSet<>();
  private final int[] meantOf;
  private final int[] takenFrom;

  /**
   * A stream.
   *
   * @param spread standard deviation of a component around the centre of its class
   * @param noise probability that the model gives an answer at random
   * @param meaning the answer to a class, as documents flow
   */
  SimulatedStream(
      int seed,
      int classes,
      double spread,
      double noise,
      double target,
      double audit,
      IntUnaryOperator meaning) {
    this(seed, classes, DIMENSIONS, spread, noise, target, audit, meaning);
  }

  /** A stream whose embeddings have so many components. */
  SimulatedStream(
      int seed,
      int classes,
      int dimensions,
      double spread,
      double noise,
      double target,
      double audit,
      IntUnaryOperator meaning) {
    this.random = new Random(seed);
    this.audit = audit;
    this.noise = noise;
    this.spread = spread;
    this.meaning = meaning;
    this.centres = new float[classes][dimensions];
    this.meantOf = new int[classes];
    this.takenFrom = new int[classes];
    for (float[] centre : centres) {
      for (int i = 0; i < dimensions; i++) {
        centre[i] = (float) random.nextGaussian();
      }
    }
    this.learner =
        new AnswerLearner(
            new LiveLearner.Subject("operator", "question", "embedder", target), Runnable::run);
  }

  /** The next document, of a class below {@code classes}. */
  void next(int classes) {
    nextOf(random.nextInt(classes));
  }

  /** The next document, of this class. */
  void nextOf(int right) {
    float[] vector = vector(right);
    boolean atRandom = random.nextDouble() < noise;
    int meant = meaning.applyAsInt(right);
    String answer = text(atRandom ? random.nextInt(centres.length) : meant);
    documents++;
    meantOf[meant]++;
    TrainedClassifier classifier = learner.classifier();
    String predicted = classifier == null ? null : LinearClassifier.of(classifier).answer(vector);
    boolean asked = predicted == null || random.nextDouble() < audit;
    if (predicted != null) {
      // The expected agreement: the model's noise is not known to the classifier.
      double chance = noise / centres.length;
      agreeing += predicted.equals(text(meant)) ? 1 - noise + chance : chance;
      answered++;
      given.add(predicted);
      least = answered < 30 ? least : Math.min(least, agreeing / answered);
      audits += asked ? 1 : 0;
    }
    if (predicted != null && !asked && !predicted.equals(text(meant))) {
      takenFrom[meant]++;
    }
    if (asked) {
      calls++;
      learner.take(
          new LiveAnswer(
              "classify",
              "question",
              "messages-0@" + documents,
              "test",
              Evidence.encode(vector),
              answer,
              predicted,
              predicted == null ? 1 : audit,
              null,
              null));
      learner.learn();
    }
  }

  /** The embedding of another document of this class. */
  float[] vector(int right) {
    float[] vector = new float[centres[right].length];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) (centres[right][i] + spread * random.nextGaussian());
    }
    return vector;
  }

  private static String text(int answer) {
    return "{\"intent\":\"" + answer + "\"}";
  }

  AnswerLearner learner() {
    return learner;
  }

  /** Calls of the model, and starts to count anew. */
  int takeCalls() {
    int made = calls;
    calls = 0;
    return made;
  }

  int audits() {
    return audits;
  }

  int answered() {
    return answered;
  }

  /** Whether a classifier has given this answer. */
  boolean hasGiven(int answer) {
    return given.contains(text(answer));
  }

  /** The share of the documents with this answer that classifiers have given another one. */
  double takenFrom(int answer) {
    return (double) takenFrom[answer] / meantOf[answer];
  }

  /** The least expected agreement of all answers so far, from the 30th on. */
  double leastAgreement() {
    return least;
  }

  /** Documents of these streams of different seeds. */
  static List<SimulatedStream> ofSeeds(
      int seeds, int classes, double spread, double noise, double target) {
    List<SimulatedStream> streams = new ArrayList<>();
    for (int seed = 0; seed < seeds; seed++) {
      streams.add(
          new SimulatedStream(
              seed, classes, spread, noise, target, 0.05, IntUnaryOperator.identity()));
    }
    return streams;
  }
}

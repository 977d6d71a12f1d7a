package dev.abacus.schemas.kafka;

import org.jspecify.annotations.Nullable;

/** Names of the topics that programs do not name. */
public final class Topics {

  /** Desired state by key: compacted, one partition. */
  public static final String CONTROL = "abacus.control";

  /** Control records that were refused, with the reason. */
  public static final String REJECTIONS = "abacus.rejections";

  /** Status of every instance: compacted. */
  public static final String STATUS = "abacus.status";

  /** Learned statistics and priors of implementations: compacted. */
  public static final String LEARNT = "abacus.learnt";

  /** Leases of spending caps: compacted, one partition, with the broker's time. */
  public static final String SPENDING = "abacus.spending";

  /** Answers of models that all programs share: one partition. */
  public static final String ANSWERS = "abacus.answers";

  /** Versions of programs: compacted, one partition. */
  public static final String VERSIONS = "abacus.versions";

  private Topics() {}

  /**
   * The id of the Kafka Streams application of a program's documents, which is also its consumer
   * group. Names of programs have no dot, so no other program has this id.
   *
   * @param version 1 for the first
   */
  public static String application(String program, int version) {
    return version == 1 ? "abacus-" + program : "abacus-%s-v.%d".formatted(program, version);
  }

  /**
   * The key of a record on {@link #ANSWERS} that clears the answers before it.
   *
   * @param model null for all models
   */
  public static String clearedAnswers(@Nullable String model) {
    return model == null ? "*" : model + "/*";
  }

  /** Sample tasks, from the optimizer to the data plane. */
  public static String samples(String program) {
    return program + ".samples";
  }

  /** Observations, from the data plane to the optimizer. */
  public static String observations(String program) {
    return program + ".observations";
  }

  /** Dead letters: failed documents with the reason in headers. */
  public static String deadLetters(String program) {
    return program + ".dlq";
  }

  /** Answers of models, so that a crash does not pay for a call again. */
  public static String receipts(String program) {
    return program + ".receipts";
  }

  /** The items of a reference with their vectors: compacted. */
  public static String embedded(String program, String reference) {
    return program + "." + reference + ".embedded";
  }
}

package dev.abacus.schemas.kafka;

/** Names of the topics that are not named by a program itself. */
public final class Topics {

  /** Desired state by key: compacted, one partition. */
  public static final String CONTROL = "abacus.control";

  /** Control records that were refused, with the reason. */
  public static final String REJECTIONS = "abacus.rejections";

  /** What every instance runs: compacted. */
  public static final String STATUS = "abacus.status";

  /** What programs have learnt of implementations, and what is believed of them: compacted. */
  public static final String LEARNT = "abacus.learnt";

  private Topics() {}

  /** Sample tasks, from the optimizer to the data plane. */
  public static String samples(String program) {
    return program + ".samples";
  }

  /** Observations, from the data plane to the optimizer. */
  public static String observations(String program) {
    return program + ".observations";
  }

  /** Documents that could not be done, with the reason in headers. */
  public static String deadLetters(String program) {
    return program + ".dlq";
  }

  /** Answers of models that were paid for, so that a crash does not pay again. */
  public static String receipts(String program) {
    return program + ".receipts";
  }

  /** The items of a reference with their vectors: compacted. */
  public static String embedded(String program, String reference) {
    return program + "." + reference + ".embedded";
  }
}

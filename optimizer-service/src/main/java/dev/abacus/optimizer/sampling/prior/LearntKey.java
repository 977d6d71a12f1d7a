package dev.abacus.optimizer.sampling.prior;

/** The keys of the topic of what was learnt and is believed. */
public sealed interface LearntKey {

  /** The text that stands on the topic. */
  String path();

  /** The program that it is about. */
  String program();

  /** {@code learnt/<p>/<operator>}: what the search for a program learnt; the optimizer's. */
  record Learnt(String program, String operator) implements LearntKey {
    @Override
    public String path() {
      return "learnt/" + program + "/" + operator;
    }
  }

  /** {@code priors/<p>}: what a user believes. */
  record Given(String program) implements LearntKey {
    @Override
    public String path() {
      return "priors/" + program;
    }
  }

  /**
   * {@code transferred/<p>}: what a search took over from other programs when it began, so that it
   * goes on with the same after a restart; the optimizer's.
   */
  record Transferred(String program) implements LearntKey {
    @Override
    public String path() {
      return "transferred/" + program;
    }
  }

  /**
   * Reads a key.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  static LearntKey parse(String path) {
    String[] parts = path.split("/", -1);
    if (parts.length == 3 && parts[0].equals("learnt")) {
      return new Learnt(parts[1], parts[2]);
    }
    if (parts.length == 2 && parts[0].equals("priors")) {
      return new Given(parts[1]);
    }
    if (parts.length == 2 && parts[0].equals("transferred")) {
      return new Transferred(parts[1]);
    }
    throw new IllegalArgumentException(
        "'%s' is no key; there are learnt/<program>/<operator>, priors/<program> and transferred/<program>"
            .formatted(path));
  }
}

package dev.abacus.optimizer.sampling.prior;

/** Keys of the topic {@code abacus.learnt}. */
public sealed interface LearnedKey {

  /** The key as text. */
  default String path() {
    return switch (this) {
      case ByOperator(String program, String operator) -> "learnt/" + program + "/" + operator;
      case Given(String program) -> "priors/" + program;
      case Transferred(String program) -> "transferred/" + program;
    };
  }

  /** The program. */
  String program();

  /**
   * {@code learnt/<p>/<operator>}: what the search for a program learned; written by the optimizer.
   */
  record ByOperator(String program, String operator) implements LearnedKey {}

  /** {@code priors/<p>}: priors of a user. */
  record Given(String program) implements LearnedKey {}

  /**
   * {@code transferred/<p>}: priors that a search derived from other programs at its start, so that
   * it keeps them after a restart; written by the optimizer.
   */
  record Transferred(String program) implements LearnedKey {}

  /**
   * Parses a key.
   *
   * @throws IllegalArgumentException if the text is no such key
   */
  static LearnedKey parse(String path) {
    String[] parts = path.split("/", -1);
    if (parts.length == 3 && parts[0].equals("learnt")) {
      return new ByOperator(parts[1], parts[2]);
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

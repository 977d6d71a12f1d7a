package dev.abacus.schemas.control;

import java.util.Arrays;

/** The tokens of {@code reoptimize/<p>} by which the optimizer itself asks for a new round. */
public final class RoundReason {

  private static final String DRIFT = "drift ";
  private static final String FEEDBACK = "feedback ";
  private static final String ANEW = "; measured anew: ";

  private RoundReason() {}

  /**
   * Live documents differ from the estimate of a plan.
   *
   * @param what a clause that says in what
   * @param anew the steps concerned, as in a plan's signature
   */
  public static String drift(long epoch, String what, String anew) {
    return DRIFT + epoch + ": " + what + ANEW + anew;
  }

  /** Results were corrected since the last round. */
  public static String feedback(long epoch, int results) {
    return "%s%d: %d results were corrected; their examples are sampled"
        .formatted(FEEDBACK, epoch, results);
  }

  /** Why the round began, as a clause; empty if the token does not say, as one of a user. */
  public static String of(String token) {
    return token.startsWith(DRIFT) || token.startsWith(FEEDBACK)
        ? token.substring(token.indexOf(": ") + 2).split(";", 2)[0]
        : "";
  }

  /**
   * Whether the token asks to measure an implementation anew.
   *
   * @param step {@code operator=implementation}
   */
  public static boolean isOf(String token, String step) {
    return token.startsWith(DRIFT)
        && Arrays.asList(token.substring(token.lastIndexOf(ANEW) + ANEW.length()).split(" -> ", -1))
            .contains(step);
  }
}

package dev.abacus.schemas.control;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The tokens of {@code reoptimize/<p>} by which the optimizer itself asks for a new round. Users
 * may write any other text.
 */
public final class RoundReason {

  private static final Pattern DRIFT =
      Pattern.compile("drift \\d+: (?<why>.*); measured anew: (?<steps>.*)");

  private static final Pattern FEEDBACK = Pattern.compile("feedback \\d+: (?<why>.*);.*");

  private RoundReason() {}

  /**
   * Live documents differ from the estimate of a plan.
   *
   * @param what a clause that says in what
   * @param anew the steps concerned, as in a plan's signature
   */
  public static String drift(long epoch, String what, String anew) {
    return "drift %d: %s; measured anew: %s".formatted(epoch, what, anew);
  }

  /** Results were corrected since the last round. */
  public static String feedback(long epoch, int results) {
    return "feedback %d: %d results were corrected; their examples are sampled"
        .formatted(epoch, results);
  }

  /** Why the round began, as a clause; empty if the token does not say, as one of a user. */
  public static String of(String token) {
    return Stream.of(DRIFT, FEEDBACK)
        .map(form -> form.matcher(token))
        .filter(Matcher::matches)
        .map(stated -> stated.group("why"))
        .findFirst()
        .orElse("");
  }

  /**
   * Whether the token asks to measure an implementation anew.
   *
   * @param step {@code operator=implementation}
   */
  public static boolean isOf(String token, String step) {
    Matcher drift = DRIFT.matcher(token);
    return drift.matches() && List.of(drift.group("steps").split(" -> ", -1)).contains(step);
  }
}

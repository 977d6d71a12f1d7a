package dev.abacus.optimizer.sampling;

import java.util.List;
import java.util.Map;

/**
 * The next samples that a policy requests.
 *
 * @param pulls never requested before; for each operator the most wanted first
 * @param conclusions why an operator needs no more samples, by operator id; an operator with
 *     neither a pull nor a conclusion waits for outstanding samples
 * @param outlooks what further samples would bring, of each operator that concludes {@link
 *     Conclusion#NOT_WORTH_THE_PRICE}
 */
public record Proposal(
    List<Pull> pulls, Map<String, Conclusion> conclusions, Map<String, Outlook> outlooks) {

  /** Why an operator needs no more samples. */
  public enum Conclusion {
    /** The operator has no validation example. */
    NO_EXAMPLE,
    /** The program's models allow no implementation. */
    NO_IMPLEMENTATION,
    /** Every implementation that may be chosen has a sample of every example. */
    EVERY_PAIR_SAMPLED,
    /** One implementation is left and nothing can displace it. */
    ONE_LEFT,
    /** The planned number of samples, or the largest one, is drawn. */
    DRAWN_AS_PLANNED,
    /** No further sample is expected to bring what it has to ({@link Stakes}). */
    NOT_WORTH_THE_PRICE,
    /** Every sample failed. */
    ALL_FAILED
  }

  /** Of a policy that does not value samples. */
  public Proposal(List<Pull> pulls, Map<String, Conclusion> conclusions) {
    this(pulls, conclusions, Map.of());
  }

  /** The pulls of one operator, the most wanted first. */
  public List<Pull> pulls(String operator) {
    return pulls.stream().filter(pull -> pull.operator().equals(operator)).toList();
  }
}

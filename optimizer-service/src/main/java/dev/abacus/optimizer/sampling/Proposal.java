package dev.abacus.optimizer.sampling;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a policy wants next.
 *
 * @param pulls never asked for before; of one operator, the most wanted first
 * @param conclusions why there is nothing more to ask for, of operators where that is so; an
 *     operator with neither a pull nor a conclusion waits for samples that are under way
 */
public record Proposal(List<Pull> pulls, Map<String, Conclusion> conclusions) {

  /** Why an operator needs no more samples. */
  public enum Conclusion {
    /** There is no validation example that it could be tried on. */
    NO_EXAMPLE,
    /** The program's models give it no implementation. */
    NO_IMPLEMENTATION,
    /** Every implementation has been tried on every example. */
    EVERY_PAIR_SAMPLED,
    /** One implementation is left that nothing can displace. */
    ONE_LEFT,
    /** As many as the policy wanted, though there would be more. */
    DRAWN_AS_PLANNED,
    /** No sample of any implementation tried gave an answer; more would only cost. */
    ALL_FAILED
  }

  public Proposal {
    pulls = List.copyOf(pulls);
    conclusions = Collections.unmodifiableMap(new LinkedHashMap<>(conclusions));
  }

  /** The pulls of one operator, the most wanted first. */
  public List<Pull> pulls(String operator) {
    return pulls.stream().filter(pull -> pull.operator().equals(operator)).toList();
  }
}

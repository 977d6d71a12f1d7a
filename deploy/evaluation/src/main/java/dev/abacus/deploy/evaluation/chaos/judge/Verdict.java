package dev.abacus.deploy.evaluation.chaos.judge;

import java.util.ArrayList;
import java.util.List;

/**
 * The verdict on one guarantee.
 *
 * @param guarantee name of the guarantee
 * @param checked number of cases that were checked; 0 means that the run tells nothing
 * @param violations number of cases that break the guarantee
 * @param examples the first violations
 * @param figures measured figures, for people
 */
public record Verdict(
    String guarantee, long checked, long violations, List<String> examples, String figures) {

  private static final int EXAMPLES = 3;

  public Verdict {
    examples = List.copyOf(examples);
  }

  /** Whether the guarantee holds in the history. */
  public boolean holds() {
    return violations == 0;
  }

  /** Returns one line: {@code HOLDS}, {@code VIOLATED} or {@code UNTESTED}, then the figures. */
  public String line() {
    String outcome = holds() ? checked == 0 ? "UNTESTED" : "HOLDS" : "VIOLATED";
    String line =
        "%-9s %-22s %d of %d%s"
            .formatted(
                outcome, guarantee, violations, checked, figures.isEmpty() ? "" : "; " + figures);
    return examples.isEmpty()
        ? line
        : line + "\n            " + String.join("\n            ", examples);
  }

  /** Collects the cases of one guarantee. */
  static final class Count {

    private final String guarantee;
    private final List<String> examples = new ArrayList<>();
    private long checked;
    private long violations;

    Count(String guarantee) {
      this.guarantee = guarantee;
    }

    void check() {
      checked++;
    }

    void check(long cases) {
      checked += cases;
    }

    void violate(String example) {
      violations++;
      if (examples.size() < EXAMPLES) {
        examples.add(example);
      }
    }

    Verdict verdict(String figures) {
      return new Verdict(guarantee, checked, violations, examples, figures);
    }
  }
}

package dev.abacus.schemas.program;

/** Budget of the search for a plan, as a number of samples or an amount of money. */
public sealed interface SampleBudget {

  /** The default: 50 invocations per semantic operator (paper, section 4.2). */
  int SAMPLES_PER_OPERATOR = 50;

  /** Number of operator invocations, summed over all operators. */
  record Invocations(int samples) implements SampleBudget {
    public Invocations {
      if (samples <= 0) {
        throw new IllegalArgumentException("budget of " + samples + " samples; it must be above 0");
      }
    }
  }

  /** USD, including the cost of the judge. */
  record Dollars(double usd) implements SampleBudget {
    public Dollars {
      if (!Double.isFinite(usd) || usd <= 0) {
        throw new IllegalArgumentException("budget of " + usd + " USD; it must be above 0");
      }
    }
  }
}

package dev.abacus.schemas.program;

/** How much the search for a plan may spend; exactly one of the two ways to say it. */
public sealed interface SampleBudget {

  /** What holds where a program says nothing: 50 invocations per semantic operator (paper, 4.2). */
  int SAMPLES_PER_OPERATOR = 50;

  /** A number of operator invocations, over all operators together. */
  record Invocations(int samples) implements SampleBudget {
    public Invocations {
      if (samples <= 0) {
        throw new IllegalArgumentException("budget of " + samples + " samples; it must be above 0");
      }
    }
  }

  /** An amount of money, judge included. */
  record Dollars(double usd) implements SampleBudget {
    public Dollars {
      if (!Double.isFinite(usd) || usd <= 0) {
        throw new IllegalArgumentException("budget of " + usd + " USD; it must be above 0");
      }
    }
  }
}

package dev.abacus.schemas.program;

/** Budget of the search for a plan, in samples, dollars or tokens. */
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

  /** Input and output tokens of chat models, including those of the judge. */
  record Tokens(long tokens) implements SampleBudget {
    public Tokens {
      if (tokens <= 0) {
        throw new IllegalArgumentException("budget of " + tokens + " tokens; it must be above 0");
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

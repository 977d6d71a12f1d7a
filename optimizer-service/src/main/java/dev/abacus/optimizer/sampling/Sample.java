package dev.abacus.optimizer.sampling;

import dev.abacus.schemas.observation.Observation;

/** What is known of a pull that was asked for. */
public sealed interface Sample {

  /** It came back. */
  record Observed(Observation observation) implements Sample {}

  /** It was issued, and nothing has been heard of it yet. */
  record Outstanding() implements Sample {}

  /** It was issued and given up: nothing came back while others did. */
  record Lost() implements Sample {}
}

package dev.abacus.optimizer.sampling;

import dev.abacus.schemas.observation.Observation;

/** The state of a requested pull. */
public sealed interface Sample {

  /** The observation has arrived. */
  record Observed(Observation observation) implements Sample {}

  /** The task is issued; no observation has arrived. */
  record Outstanding() implements Sample {}

  /** The task is given up: no observation arrived in time. */
  record Lost() implements Sample {}
}

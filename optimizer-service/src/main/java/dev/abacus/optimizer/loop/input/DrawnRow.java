package dev.abacus.optimizer.loop.input;

import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;

/**
 * Draws one of the outputs of an operator, with which the example continues. All outputs are
 * equally likely, so that operators downstream are sampled on all positions. The draw depends on
 * operator and example only: implementations with equal outputs continue with the same one.
 */
public final class DrawnRow {

  private DrawnRow() {}

  /** The output that is drawn; the observation has at least one. */
  public static Document of(Observation observation) {
    long hash = SeededHash.of(0, observation.operator() + "/" + observation.exampleId());
    return observation.outputs().get(Math.floorMod(hash, observation.outputs().size()));
  }
}

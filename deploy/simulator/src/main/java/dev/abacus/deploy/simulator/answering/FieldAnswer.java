package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The answer to one question.
 *
 * @param name property of the answer object
 * @param confidence probability that the model assigns to the value, in [0, 1]; it determines the
 *     log probabilities
 */
record FieldAnswer(String name, JsonNode value, double confidence) {

  FieldAnswer {
    confidence = Math.clamp(confidence, 0.02, 0.999);
  }
}

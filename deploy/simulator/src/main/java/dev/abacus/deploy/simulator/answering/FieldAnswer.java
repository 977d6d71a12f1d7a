package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a model says to one question.
 *
 * @param name property of the answer
 * @param value its value
 * @param confidence probability that the model gives it, 0..1; shows in the log probabilities
 */
record FieldAnswer(String name, JsonNode value, double confidence) {

  FieldAnswer {
    confidence = Math.clamp(confidence, 0.02, 0.999);
  }
}

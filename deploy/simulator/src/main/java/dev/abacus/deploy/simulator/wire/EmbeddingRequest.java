package dev.abacus.deploy.simulator.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A request for embeddings.
 *
 * @param model name of the model
 * @param inputs texts (an input that comes as token ids is embedded by its ids)
 * @param dimensions wanted, 0 for the model's own
 * @param base64 whether vectors are wanted in base64 rather than as numbers
 */
public record EmbeddingRequest(String model, List<String> inputs, int dimensions, boolean base64) {

  private static final int MOST_INPUTS = 2048;

  /** Copies. */
  public EmbeddingRequest {
    inputs = List.copyOf(inputs);
  }

  /**
   * Reads a request.
   *
   * @throws ApiException if it is not as OpenAI wants it
   */
  public static EmbeddingRequest of(JsonNode json) {
    if (!json.path("model").isTextual()) {
      throw ApiException.invalid("you must provide a model parameter", null, null);
    }
    List<String> inputs = inputs(json.path("input"));
    if (inputs.isEmpty() || inputs.size() > MOST_INPUTS || inputs.contains("")) {
      throw ApiException.invalid(
          "'$.input' is invalid: 1 to " + MOST_INPUTS + " inputs, none of them empty.",
          "input",
          null);
    }
    return new EmbeddingRequest(
        json.path("model").asText(),
        inputs,
        json.path("dimensions").asInt(0),
        json.path("encoding_format").asText("float").equals("base64"));
  }

  private static List<String> inputs(JsonNode input) {
    if (input.isMissingNode()) {
      throw ApiException.missing("input");
    }
    List<String> inputs = new ArrayList<>();
    if (input.isTextual()) {
      inputs.add(input.textValue());
    } else if (input.isArray() && !input.isEmpty() && input.get(0).isNumber()) {
      inputs.add(input.toString());
    } else {
      input.forEach(one -> inputs.add(one.isTextual() ? one.textValue() : one.toString()));
    }
    return inputs;
  }
}

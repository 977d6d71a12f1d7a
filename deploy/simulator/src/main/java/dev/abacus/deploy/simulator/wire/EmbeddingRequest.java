package dev.abacus.deploy.simulator.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A request for embeddings.
 *
 * @param inputs texts; an input of token ids is embedded as the text of its ids
 * @param dimensions length of the vectors; 0 for the default of the model
 * @param base64 whether the response encodes vectors in Base64
 */
public record EmbeddingRequest(String model, List<String> inputs, int dimensions, boolean base64) {

  private static final int MOST_INPUTS = 2048;

  public EmbeddingRequest {
    inputs = List.copyOf(inputs);
  }

  /**
   * Reads a request.
   *
   * @throws ApiException if the request is invalid under OpenAI's API
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

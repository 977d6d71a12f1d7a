package dev.abacus.deploy.simulator.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;

/** Writes vectors as OpenAI's embeddings. */
public final class EmbeddingResponse {

  private EmbeddingResponse() {}

  /** Writes a response. */
  public static ObjectNode of(EmbeddingRequest request, List<float[]> vectors, int tokens) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("object", "list");
    ArrayNode data = json.putArray("data");
    for (float[] vector : vectors) {
      ObjectNode entry = data.addObject();
      entry.put("object", "embedding").put("index", data.size() - 1);
      if (request.base64()) {
        entry.put("embedding", base64(vector));
      } else {
        ArrayNode numbers = entry.putArray("embedding");
        for (float number : vector) {
          numbers.add(number);
        }
      }
    }
    json.put("model", request.model());
    json.putObject("usage").put("prompt_tokens", tokens).put("total_tokens", tokens);
    return json;
  }

  private static String base64(float[] vector) {
    ByteBuffer bytes =
        ByteBuffer.allocate(vector.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (float number : vector) {
      bytes.putFloat(number);
    }
    return Base64.getEncoder().encodeToString(bytes.array());
  }
}

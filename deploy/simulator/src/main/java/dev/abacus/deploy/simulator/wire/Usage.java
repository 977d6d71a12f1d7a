package dev.abacus.deploy.simulator.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a call is billed for.
 *
 * @param prompt tokens of the prompt
 * @param cached those of them that were in the prompt cache
 * @param completion tokens of the answer, thinking included
 * @param reasoning those of them that were thinking
 */
public record Usage(int prompt, int cached, int completion, int reasoning) {

  /** The shape of OpenAI's API. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("prompt_tokens", prompt)
        .put("completion_tokens", completion)
        .put("total_tokens", prompt + completion);
    json.putObject("prompt_tokens_details").put("cached_tokens", cached).put("audio_tokens", 0);
    json.putObject("completion_tokens_details")
        .put("reasoning_tokens", reasoning)
        .put("audio_tokens", 0)
        .put("accepted_prediction_tokens", 0)
        .put("rejected_prediction_tokens", 0);
    return json;
  }
}

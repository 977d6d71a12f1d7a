package dev.abacus.deploy.simulator.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.answering.Answer;
import dev.abacus.deploy.simulator.tokens.Tokenizer;
import java.util.List;

/** Writes answers as OpenAI's chat completions, marked as simulated. */
public final class ChatResponse {

  /** Marks every response as simulated. */
  public static final String FINGERPRINT = "abacus-simulated";

  private ChatResponse() {}

  /** Writes a response of now with one answer. */
  public static ObjectNode of(String id, ChatRequest request, String answer, Usage usage) {
    return of(
        id,
        System.currentTimeMillis() / 1000,
        request,
        List.of(new Answer(answer, List.of(), 0)),
        usage,
        new Tokenizer());
  }

  /**
   * Writes a response.
   *
   * @param id of the response
   * @param created seconds since 1970
   * @param answers one per choice; answers longer than the request allows are truncated
   */
  public static ObjectNode of(
      String id,
      long created,
      ChatRequest request,
      List<Answer> answers,
      Usage usage,
      Tokenizer tokenizer) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", id)
        .put("object", "chat.completion")
        .put("created", created)
        .put("model", request.model());
    ArrayNode choices = json.putArray("choices");
    for (Answer answer : answers) {
      int budget = Math.max(0, request.maxTokens() - usage.reasoning());
      boolean tooLong = answer.text().length() > budget && tokenizer.count(answer.text()) > budget;
      String text = tooLong ? tokenizer.truncate(answer.text(), budget) : answer.text();
      ObjectNode choice = choices.addObject();
      choice.put("index", choices.size() - 1);
      choice
          .putObject("message")
          .put("role", "assistant")
          .put("content", text)
          .putNull("refusal")
          .putArray("annotations");
      if (request.logprobs()) {
        choice.set("logprobs", LogProbs.of(answer, text, request.topLogprobs(), tokenizer));
      } else {
        choice.putNull("logprobs");
      }
      choice.put("finish_reason", tooLong ? "length" : "stop");
    }
    json.set("usage", usage.toJson());
    json.put("service_tier", "default").put("system_fingerprint", FINGERPRINT);
    return json;
  }

  /**
   * Billed tokens of a call.
   *
   * @param cached prompt tokens that the prompt cache contained
   * @param sound prompt tokens of sounds
   * @param completion tokens of the answer, including thinking
   * @param reasoning thinking tokens
   */
  public record Usage(int prompt, int cached, int sound, int completion, int reasoning) {

    /** The JSON of OpenAI's API. */
    public ObjectNode toJson() {
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put("prompt_tokens", prompt)
          .put("completion_tokens", completion)
          .put("total_tokens", prompt + completion);
      json.putObject("prompt_tokens_details")
          .put("cached_tokens", cached)
          .put("audio_tokens", sound);
      json.putObject("completion_tokens_details")
          .put("reasoning_tokens", reasoning)
          .put("audio_tokens", 0)
          .put("accepted_prediction_tokens", 0)
          .put("rejected_prediction_tokens", 0);
      return json;
    }
  }
}

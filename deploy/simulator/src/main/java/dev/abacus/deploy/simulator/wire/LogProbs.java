package dev.abacus.deploy.simulator.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.answering.Answer;
import dev.abacus.deploy.simulator.answering.Answer.Confidence;
import dev.abacus.deploy.simulator.tokens.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Writes the log probabilities of the tokens of an answer. The first token of a value has the
 * confidence in the value; the other tokens are nearly certain.
 */
final class LogProbs {

  private static final double CERTAIN = 0.9999;

  private LogProbs() {}

  static ObjectNode of(Answer answer, String text, int alternatives, Tokenizer tokenizer) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode content = json.putArray("content");
    int at = 0;
    int next = 0;
    for (byte[] token : tokenizer.tokens(text)) {
      // A token may end inside a non-ASCII character; the error is small.
      int end = at + new String(token, StandardCharsets.UTF_8).length();
      double probability = CERTAIN;
      while (next < answer.confidences().size() && answer.confidences().get(next).from() < end) {
        Confidence confidence = answer.confidences().get(next);
        next++;
        probability = confidence.probability();
      }
      append(content, token, probability, alternatives);
      at = end;
    }
    json.putNull("refusal");
    return json;
  }

  private static void append(
      ArrayNode content, byte[] token, double probability, int alternatives) {
    ObjectNode entry = entry(content.addObject(), token, probability);
    List<ObjectNode> top = new ArrayList<>();
    double rest = 2 * (1 - probability);
    for (int i = 0; i < alternatives; i++) {
      rest /= 2;
      ObjectNode one = JsonNodeFactory.instance.objectNode();
      top.add(
          i == 0
              ? entry(one, token, probability)
              : entry(
                  one,
                  alternative(token, i).getBytes(StandardCharsets.UTF_8),
                  Math.max(rest, 1e-9)));
    }
    // In descending order, even if the answer is not the most probable token.
    top.sort(Comparator.comparingDouble(one -> -one.path("logprob").doubleValue()));
    entry.putArray("top_logprobs").addAll(top);
  }

  private static ObjectNode entry(ObjectNode entry, byte[] token, double probability) {
    entry
        .put("token", new String(token, StandardCharsets.UTF_8))
        .put("logprob", Math.log(probability));
    ArrayNode bytes = entry.putArray("bytes");
    for (byte one : token) {
      bytes.add(one & 0xFF);
    }
    return entry;
  }

  private static String alternative(byte[] token, int number) {
    String text = new String(token, StandardCharsets.UTF_8);
    if (number > 1) {
      return text + number;
    }
    return text.contains("true")
        ? text.replace("true", "false")
        : text.contains("false") ? text.replace("false", "true") : "null";
  }
}

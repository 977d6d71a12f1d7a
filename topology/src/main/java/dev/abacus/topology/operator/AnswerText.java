package dev.abacus.topology.operator;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the JSON object in an answer. An endpoint that enforces the response schema sends nothing
 * else; others wrap it in Markdown, in prose, or in the model's thoughts.
 */
final class AnswerText {

  private static final ObjectReader JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .reader();
  private static final String END_OF_THOUGHTS = "</think>";

  /** More opening braces than this are no answer but noise; each costs an attempt at parsing. */
  private static final int MOST_ATTEMPTS = 50;

  private AnswerText() {}

  /** The first JSON object in the text, thoughts left aside; null if there is none. */
  static @Nullable ObjectNode object(String text) {
    int thoughts = text.lastIndexOf(END_OF_THOUGHTS);
    String answer = thoughts < 0 ? text : text.substring(thoughts + END_OF_THOUGHTS.length());
    int brace = answer.indexOf('{');
    for (int attempt = 0; brace >= 0 && attempt < MOST_ATTEMPTS; attempt++) {
      ObjectNode object = parse(answer.substring(brace));
      if (object != null) {
        return object;
      }
      brace = answer.indexOf('{', brace + 1);
    }
    return null;
  }

  private static @Nullable ObjectNode parse(String text) {
    try (JsonParser parser = JSON.createParser(text)) {
      return JSON.readTree(parser) instanceof ObjectNode object ? object : null;
    } catch (IOException e) {
      return null;
    }
  }
}

package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
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
public final class AnswerText {

  private static final ObjectReader STRICT = anywhere().build().reader();

  /** Slips that leave no doubt about what is meant. Values are never guessed. */
  private static final ObjectReader FORGIVING =
      anywhere()
          .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
          .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
          .build()
          .reader();

  private static final String END_OF_THOUGHTS = "</think>";

  /** More opening braces than this are no answer but noise; each costs an attempt at parsing. */
  private static final int MOST_ATTEMPTS = 50;

  private AnswerText() {}

  /** Reads an object whatever stands behind it. */
  private static JsonMapper.Builder anywhere() {
    return JsonMapper.builder()
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  /**
   * The first JSON object in the text, thoughts left aside; null if there is none. An object with
   * small slips (a comma too many, a line break in a text) is taken only if none is flawless.
   */
  public static @Nullable ObjectNode object(String text) {
    int thoughts = text.lastIndexOf(END_OF_THOUGHTS);
    String answer = thoughts < 0 ? text : text.substring(thoughts + END_OF_THOUGHTS.length());
    ObjectNode flawless = object(answer, STRICT);
    return flawless == null ? object(answer, FORGIVING) : flawless;
  }

  private static @Nullable ObjectNode object(String answer, ObjectReader reader) {
    int brace = answer.indexOf('{');
    for (int attempt = 0; brace >= 0 && attempt < MOST_ATTEMPTS; attempt++) {
      ObjectNode object = parse(answer.substring(brace), reader);
      if (object != null) {
        return object;
      }
      brace = answer.indexOf('{', brace + 1);
    }
    return null;
  }

  private static @Nullable ObjectNode parse(String text, ObjectReader reader) {
    try (JsonParser parser = reader.createParser(text)) {
      return reader.readTree(parser) instanceof ObjectNode object ? object : null;
    } catch (IOException e) {
      return null;
    }
  }
}

package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.input.BoundedJson;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the JSON object in the text of an answer. An endpoint that enforces the response schema
 * sends only the object; others add Markdown, prose or the model's reasoning.
 */
public final class AnswerText {

  private static final ObjectReader STRICT = embedded().build().reader();

  /** Accepts syntax errors with one possible meaning. Values are never guessed. */
  private static final ObjectReader LENIENT =
      embedded()
          .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
          .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
          .build()
          .reader();

  /** Answers become fields of documents, which may be nested deeper. */
  private static final int MAX_DEPTH = BoundedJson.MAX_DEPTH / 2;

  private static final String END_OF_REASONING = "</think>";

  /** The maximum number of opening braces to try; each costs one attempt at parsing. */
  private static final int MAX_ATTEMPTS = 50;

  private AnswerText() {}

  /** Ignores text behind the object. */
  private static JsonMapper.Builder embedded() {
    return BoundedJson.mapper(MAX_DEPTH)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  /**
   * The first JSON object behind the reasoning; null if there is none. An object with small syntax
   * errors (an extra comma, a line break in a text) counts only if no object is valid.
   */
  public static @Nullable ObjectNode object(String text) {
    int reasoning = text.lastIndexOf(END_OF_REASONING);
    String answer = reasoning < 0 ? text : text.substring(reasoning + END_OF_REASONING.length());
    ObjectNode valid = object(answer, STRICT);
    return valid == null ? object(answer, LENIENT) : valid;
  }

  private static @Nullable ObjectNode object(String answer, ObjectReader reader) {
    int brace = answer.indexOf('{');
    for (int attempt = 0; brace >= 0 && attempt < MAX_ATTEMPTS; attempt++) {
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
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }
}

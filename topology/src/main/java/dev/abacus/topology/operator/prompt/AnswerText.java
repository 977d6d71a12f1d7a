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
import java.util.ArrayList;
import java.util.List;

/**
 * Finds JSON objects in the text of an answer. An endpoint that enforces the response schema sends
 * only the object; others add Markdown, prose or the model's reasoning.
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
   * The JSON objects behind the reasoning, in order, without those inside other objects. Objects
   * with small syntax errors (an extra comma, a line break in a text) count only if no object is
   * valid.
   */
  public static List<ObjectNode> objects(String text) {
    int reasoning = text.lastIndexOf(END_OF_REASONING);
    String answer = reasoning < 0 ? text : text.substring(reasoning + END_OF_REASONING.length());
    List<ObjectNode> valid = objects(answer, STRICT);
    return valid.isEmpty() ? objects(answer, LENIENT) : valid;
  }

  private static List<ObjectNode> objects(String answer, ObjectReader reader) {
    List<ObjectNode> objects = new ArrayList<>();
    int brace = answer.indexOf('{');
    for (int attempt = 0; brace >= 0 && attempt < MAX_ATTEMPTS; attempt++) {
      int end = parse(answer, brace, reader, objects);
      brace = answer.indexOf('{', end);
    }
    return objects;
  }

  /** Adds the object that begins at a brace, and returns the index of the text behind it. */
  private static int parse(
      String answer, int brace, ObjectReader reader, List<ObjectNode> objects) {
    try (JsonParser parser = reader.createParser(answer.substring(brace))) {
      if (reader.readTree(parser) instanceof ObjectNode object) {
        objects.add(object);
        return brace + Math.max(1, (int) parser.currentLocation().getCharOffset());
      }
    } catch (IOException | IllegalArgumentException e) {
      return brace + 1; // Not an object; the next brace may begin one.
    }
    return brace + 1;
  }
}

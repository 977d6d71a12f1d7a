package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelAnswer.TokenLogprob;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The probability that a model assigns to the value of a field of its JSON answer. */
final class AnswerProbability {

  private static final JsonFactory JSON = new JsonFactory();

  private AnswerProbability() {}

  /** The characters of a value. */
  private record Span(int from, int to) {}

  /**
   * The product of the probabilities of the tokens that contain the value: with the quotes of a
   * text, and with the character behind a number, because they too tell values apart.
   *
   * @return null if the answer has no log-probabilities, or they do not spell the answer
   */
  static @Nullable Double of(ModelAnswer.Success answer, String field) {
    String text = spelling(answer);
    Span value = text.contains(answer.text().strip()) ? find(text, field) : null;
    if (value == null) {
      return null;
    }
    double sum = 0;
    int from = 0;
    for (TokenLogprob token : answer.logprobs()) {
      int to = from + token.token().length();
      if (from < value.to() && to > value.from()) {
        sum += token.logprob();
      }
      from = to;
    }
    return Double.isNaN(sum) ? null : Double.valueOf(StrictMath.exp(Math.min(0, sum)));
  }

  private static String spelling(ModelAnswer.Success answer) {
    StringBuilder text = new StringBuilder();
    answer.logprobs().forEach(token -> text.append(token.token()));
    return text.toString();
  }

  /** Finds the field of the outermost object, which may have text around it. */
  private static @Nullable Span find(String text, String field) {
    int start = text.indexOf('{');
    if (start < 0) {
      return null;
    }
    try (JsonParser parser = JSON.createParser(text.substring(start))) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean found = parser.currentName().equals(field);
        JsonToken value = parser.nextToken();
        int from = start + (int) parser.currentTokenLocation().getCharOffset();
        if (found && value.isScalarValue()) {
          String raw = parser.getText();
          boolean quoted = value == JsonToken.VALUE_STRING;
          // For a text, the parser reads up to the closing quote only now.
          int to =
              quoted ? start + (int) parser.currentLocation().getCharOffset() : from + raw.length();
          return new Span(from, value.isNumeric() ? to + 1 : to);
        }
        parser.skipChildren();
      }
      return null;
    } catch (IOException e) {
      return null;
    }
  }
}

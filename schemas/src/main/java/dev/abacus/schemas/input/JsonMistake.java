package dev.abacus.schemas.input;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is wrong with a text that is not JSON, in words for its author; Jackson's name its classes.
 */
public final class JsonMistake {

  private static final Pattern UNEXPECTED =
      Pattern.compile(
          "(?:Unexpected character \\('|Unrecognized token '|Non-standard token '|Invalid \\w+ )(.+?)'.*");

  private static final Pattern REPEATED = Pattern.compile("Duplicate .*?'(.*)'.*");

  private static final Pattern SOURCE_OF_LIMIT = Pattern.compile(",? ?\\(?from `[^`]*`\\)?");

  private JsonMistake() {}

  /** Describes a mistake with its place, such as {@code unexpected 'x' at column 17}. */
  public static String of(JacksonException e) {
    String message = String.valueOf(e.getOriginalMessage());
    if (e instanceof StreamConstraintsException) {
      return SOURCE_OF_LIMIT.matcher(message).replaceAll("");
    }
    if (e instanceof JsonEOFException) {
      return "it ends too early" + place(e) + "; a quote or a bracket is not closed";
    }
    Matcher repeated = REPEATED.matcher(message);
    if (repeated.matches()) {
      return "the key '%s' occurs twice".formatted(repeated.group(1));
    }
    if (message.startsWith("Trailing token")) {
      return "more than one value" + place(e);
    }
    if (!(e instanceof StreamReadException)) {
      return message; // Not of the parser but of the code that converts values.
    }
    Matcher unexpected = UNEXPECTED.matcher(message);
    return (unexpected.matches() ? "unexpected '%s'".formatted(unexpected.group(1)) : "a mistake")
        + place(e);
  }

  private static String place(JacksonException e) {
    JsonLocation at = e.getLocation();
    if (at == null || at.getColumnNr() < 1) {
      return "";
    }
    return at.getLineNr() > 1
        ? " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr())
        : " at column " + at.getColumnNr();
  }
}

package dev.abacus.topology.operator.prompt;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A prompt in a text resource, with {@code {{name}}} where something is to be put in. */
public final class PromptTemplate {

  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

  private final String text;
  private final boolean places;

  private PromptTemplate(String text) {
    this.text = text;
    this.places = PLACE.matcher(text).find();
  }

  /** The resource of that name beside a class. */
  public static PromptTemplate beside(Class<?> owner, String name) {
    try (InputStream resource =
        Objects.requireNonNull(owner.getResourceAsStream(name), () -> "no resource " + name)) {
      return new PromptTemplate(
          new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      throw new UncheckedIOException("the resource " + name + " cannot be read", e);
    }
  }

  /** The text of a template that has no places. */
  public String text() {
    return places ? fill(Map.of()) : text;
  }

  /**
   * The text with every place filled, closing tags in the values escaped. In one pass, so that a
   * value that looks like a place stays as it is.
   */
  public String fill(Map<String, String> values) {
    Matcher places = PLACE.matcher(text);
    return places.replaceAll(place -> {
      String value = Objects.requireNonNull(values.get(place.group(1)), place::group);
      return Matcher.quoteReplacement(PromptMarkup.escape(value));
    });
  }
}

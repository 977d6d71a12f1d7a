package dev.abacus.topology.operator.prompt;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of a prompt in a resource file, with placeholders {@code {{name}}}. */
public final class PromptTemplate {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)}}");

  private final String text;

  /** System messages; they are those of few operators. */
  private final Cache<OperatorPrompt<?>, String> systems =
      Caffeine.newBuilder().maximumSize(1000).build();

  private PromptTemplate(String text) {
    this.text = text;
  }

  /** The resource of this name in the package of a class. */
  public static PromptTemplate of(Class<?> owner, String name) {
    try (InputStream resource =
        Objects.requireNonNull(owner.getResourceAsStream(name), () -> "no resource " + name)) {
      return new PromptTemplate(
          new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      throw new UncheckedIOException("the resource " + name + " cannot be read", e);
    }
  }

  /**
   * The text of a template without placeholders.
   *
   * @throws NullPointerException if the template has a placeholder
   */
  public String text() {
    return fill(Map.of());
  }

  /**
   * The system message of an operator: the text of a template without placeholders, then the task.
   * It is built once per operator, not for each document.
   */
  public String system(OperatorPrompt<?> operator) {
    return systems.get(operator, key -> text() + "\n\n" + key.task());
  }

  /**
   * Replaces all placeholders in one pass, so that a value that looks like a placeholder stays
   * unchanged. Tags in the values are escaped.
   *
   * @throws NullPointerException if a placeholder has no value
   */
  public String fill(Map<String, String> values) {
    Matcher placeholders = PLACEHOLDER.matcher(text);
    return placeholders.replaceAll(placeholder -> {
      String value = Objects.requireNonNull(values.get(placeholder.group(1)), placeholder::group);
      return Matcher.quoteReplacement(PromptMarkup.escape(value));
    });
  }
}

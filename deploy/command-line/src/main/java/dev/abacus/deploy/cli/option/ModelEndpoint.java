package dev.abacus.deploy.cli.option;

import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A real model endpoint.
 *
 * @param uri base URL of its OpenAI-compatible API
 * @param key API key; null if the endpoint needs none
 */
public record ModelEndpoint(URI uri, @Nullable String key) {

  public static final String KEY_VARIABLE = "OPENAI_API_KEY";
  static final String URI_VARIABLE = "OPENAI_BASE_URL";
  private static final URI OPENAI = URI.create("https://api.openai.com/v1");

  /**
   * The endpoint from the option or the two environment variables; null if none is set. A key
   * without an address is that of OpenAI.
   *
   * @throws CommandFailure if the address is not a URL
   */
  public static @Nullable ModelEndpoint orOpenAi(
      @Nullable URI option, Map<String, String> environment) {
    ModelEndpoint named = of(option, environment);
    String key = value(environment, KEY_VARIABLE);
    return named == null && key != null && value(environment, URI_VARIABLE) == null
        ? new ModelEndpoint(OPENAI, key)
        : named;
  }

  /**
   * The endpoint from the option or the two environment variables; null if not both are set.
   *
   * @throws CommandFailure if the address is not a URL
   */
  public static @Nullable ModelEndpoint of(@Nullable URI option, Map<String, String> environment) {
    String key = value(environment, KEY_VARIABLE);
    String address = value(environment, URI_VARIABLE);
    if (option != null) {
      return new ModelEndpoint(checked(option), key);
    }
    return address == null || key == null ? null : new ModelEndpoint(checked(parse(address)), key);
  }

  /** A value without the white space around it, such as a line end; null if it is blank. */
  private static @Nullable String value(Map<String, String> environment, String variable) {
    String value = environment.getOrDefault(variable, "").strip();
    return value.isEmpty() ? null : value;
  }

  private static URI parse(String text) {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      throw invalid(text);
    }
  }

  private static URI checked(URI uri) {
    if (uri.getHost() == null || uri.getScheme() == null || !uri.getScheme().startsWith("http")) {
      throw invalid(uri.toString());
    }
    return uri;
  }

  private static CommandFailure invalid(String text) {
    return CommandFailure.invalid(
        "'" + text + "' is not an address of models",
        "Give for instance http://127.0.0.1:8000/v1.");
  }
}

package dev.abacus.topology.model.openai;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.secret.Secret;
import dev.abacus.topology.model.ModelFailure;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the address and the API key of each model: those of its card, or the defaults of the
 * process.
 */
public final class Endpoints {

  /** The endpoint of cards without one, unless the process sets another. */
  public static final String OPENAI = "https://api.openai.com/v1";

  private final String defaultBaseUrl;
  private final @Nullable Secret defaultKey;
  private final Function<String, @Nullable String> environment;

  /**
   * The endpoints of this process.
   *
   * @param defaultBaseUrl base URL for cards without an endpoint; null or blank means {@link
   *     #OPENAI}
   * @param defaultKey key for cards without an endpoint and a key variable; null or blank sends no
   *     key
   * @param environment value of an environment variable; null if it is not set
   * @throws IllegalArgumentException if the default key cannot be sent in a header
   */
  public Endpoints(
      @Nullable String defaultBaseUrl,
      @Nullable String defaultKey,
      Function<String, @Nullable String> environment) {
    this.defaultBaseUrl =
        defaultBaseUrl == null || defaultBaseUrl.isBlank()
            ? OPENAI
            : withoutSlash(defaultBaseUrl.strip());
    this.defaultKey =
        Secret.apiKey(
            "setting abacus.model.key or environment variable OPENAI_API_KEY", defaultKey);
    this.environment = environment;
  }

  /** The endpoints of this process, with keys from its environment variables. */
  public static Endpoints of(@Nullable String defaultBaseUrl, @Nullable Secret defaultKey) {
    return new Endpoints(
        defaultBaseUrl, defaultKey == null ? null : defaultKey.value(), System::getenv);
  }

  /**
   * Checks the keys of all cards whose variables are set, and the proxies.
   *
   * @throws IllegalArgumentException if a key cannot be sent in a header, or a proxy is not valid;
   *     the message names the variable and not the key
   */
  public void requireValid(ModelCatalogue catalogue) {
    proxies();
    catalogue.names().stream()
        .flatMap(name -> catalogue.get(name).variables())
        .distinct()
        .forEach(this::key);
  }

  /**
   * The endpoint of a card. The default key is sent only to the default endpoint, because it does
   * not belong to the endpoint of a card.
   */
  Endpoint of(ModelCard card) {
    String ownUrl = card.endpoint();
    String variable = card.keyVariable();
    Secret key = variable != null ? key(variable) : ownUrl == null ? defaultKey : null;
    Map<String, String> headers = substituted(card.headers());
    String keyHeader = card.keyHeader();
    if (keyHeader != null && key != null) {
      headers.put(keyHeader, key.value());
    }
    return new Endpoint(
        ownUrl == null ? defaultBaseUrl : withoutSlash(ownUrl.strip()),
        keyHeader == null ? key : null,
        headers,
        substituted(card.query()),
        card.variables()
            .map(this::key)
            .filter(Objects::nonNull)
            .map(Secret::value)
            .collect(Collectors.toSet()));
  }

  /**
   * The proxies of this process.
   *
   * @throws IllegalArgumentException if a variable is not valid
   */
  EnvironmentProxies proxies() {
    return EnvironmentProxies.of(environment);
  }

  /** The failure of a card that needs an unset variable; null if the model can be called. */
  @Nullable ModelFailure missingKey(ModelCard card) {
    String missing =
        card.variables().filter(variable -> key(variable) == null).findFirst().orElse(null);
    if (missing == null && isWithoutKey(card)) {
      return new ModelFailure.AuthenticationFailed(
          "model %s needs a key for %s: set OPENAI_API_KEY".formatted(card.name(), OPENAI));
    }
    return missing == null
        ? null
        : new ModelFailure.AuthenticationFailed(
            "the key of model %s is expected in the environment variable %s, which is not set"
                .formatted(card.name(), missing));
  }

  /** Whether a model of OpenAI has no key. */
  private boolean isWithoutKey(ModelCard card) {
    return card.endpoint() == null
        && card.keyVariable() == null
        && defaultKey == null
        && defaultBaseUrl.startsWith(OPENAI);
  }

  private @Nullable Secret key(String variable) {
    return Secret.apiKey("environment variable " + variable, environment.apply(variable));
  }

  private Map<String, String> substituted(Map<String, String> values) {
    Map<String, String> substituted = new HashMap<>();
    values.forEach((name, value) -> substituted.put(name, substituted(value)));
    return substituted;
  }

  private String substituted(String value) {
    return ModelCard.VARIABLE
        .matcher(value)
        .replaceAll(reference -> {
          Secret key = key(reference.group(1));
          return key == null ? "" : Matcher.quoteReplacement(key.value());
        });
  }

  private static String withoutSlash(String baseUrl) {
    return baseUrl.endsWith("/") ? baseUrl.substring(0, baseUrl.length() - 1) : baseUrl;
  }
}

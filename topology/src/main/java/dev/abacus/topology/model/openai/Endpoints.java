package dev.abacus.topology.model.openai;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.ModelFailure;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the base URL and the API key of each model: those of its card, or the defaults of the
 * process.
 */
public final class Endpoints {

  private final String defaultBaseUrl;
  private final @Nullable String defaultKey;
  private final Function<String, @Nullable String> environment;

  /**
   * The endpoints of this process.
   *
   * @param defaultBaseUrl base URL for cards without an endpoint
   * @param defaultKey key for cards without a key variable; null or blank sends no key
   * @param environment value of an environment variable; null if it is not set
   */
  public Endpoints(
      String defaultBaseUrl,
      @Nullable String defaultKey,
      Function<String, @Nullable String> environment) {
    this.defaultBaseUrl = Objects.requireNonNull(defaultBaseUrl, "defaultBaseUrl");
    this.defaultKey = defaultKey == null || defaultKey.isBlank() ? null : defaultKey;
    this.environment = Objects.requireNonNull(environment, "environment");
  }

  /** The endpoints of this process, with keys from its environment variables. */
  public static Endpoints of(String defaultBaseUrl, @Nullable String defaultKey) {
    return new Endpoints(defaultBaseUrl, defaultKey, System::getenv);
  }

  /**
   * The address of a model.
   *
   * @param baseUrl of the OpenAI-compatible API, usually ending in {@code /v1}
   * @param key bearer token; null sends none
   */
  record Endpoint(String baseUrl, @Nullable String key) {

    Endpoint {
      Objects.requireNonNull(baseUrl, "baseUrl");
    }

    /** The base URL without the key, so that logs never contain the key. */
    @Override
    public String toString() {
      return baseUrl;
    }
  }

  /**
   * The endpoint of a card. The default key is sent only to the default endpoint, because it does
   * not belong to the endpoint of a card.
   */
  Endpoint of(ModelCard card) {
    String ownUrl = card.endpoint();
    String variable = card.keyVariable();
    String key =
        variable != null ? environment.apply(variable) : ownUrl == null ? defaultKey : null;
    return new Endpoint(ownUrl == null ? defaultBaseUrl : ownUrl, key);
  }

  /** The failure of a card whose key variable is not set; null if the model can be called. */
  @Nullable ModelFailure missingKey(ModelCard card) {
    String variable = card.keyVariable();
    if (variable == null) {
      return null;
    }
    String key = environment.apply(variable);
    return key != null && !key.isBlank()
        ? null
        : new ModelFailure.AuthenticationFailed(
            "the key of model %s is expected in the environment variable %s, which is not set"
                .formatted(card.name(), variable));
  }
}

package dev.abacus.topology.model.openai;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.ModelFailure;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds a model's endpoint and key: the card's own where it names them, the default ones otherwise.
 */
public final class Endpoints {

  private final String defaultBaseUrl;
  private final @Nullable String defaultKey;
  private final Function<String, @Nullable String> environment;

  /**
   * The endpoints of this process.
   *
   * @param defaultBaseUrl for cards without an endpoint
   * @param defaultKey for cards without a key variable; null means no key is sent
   * @param environment value of an environment variable, or null
   */
  public Endpoints(
      String defaultBaseUrl,
      @Nullable String defaultKey,
      Function<String, @Nullable String> environment) {
    this.defaultBaseUrl = Objects.requireNonNull(defaultBaseUrl, "defaultBaseUrl");
    this.defaultKey = defaultKey == null || defaultKey.isBlank() ? null : defaultKey;
    this.environment = Objects.requireNonNull(environment, "environment");
  }

  /** All cards' endpoints by their own word or this one, keys from the process's environment. */
  public static Endpoints of(String defaultBaseUrl, @Nullable String defaultKey) {
    return new Endpoints(defaultBaseUrl, defaultKey, System::getenv);
  }

  /**
   * The endpoint of a card; its key is null where none is to be sent.
   *
   * <p>The default key is never sent to an endpoint of a card's own: it was not meant for that.
   */
  Endpoint of(ModelCard card) {
    String ownUrl = card.endpoint();
    String variable = card.keyVariable();
    String key =
        variable != null ? environment.apply(variable) : ownUrl == null ? defaultKey : null;
    return new Endpoint(ownUrl == null ? defaultBaseUrl : ownUrl, key);
  }

  /** Why the card's model cannot be called, or null if it can. */
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

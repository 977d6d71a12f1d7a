package dev.abacus.topology.model.openai;

import dev.abacus.schemas.secret.Secret;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The address of a model.
 *
 * @param baseUrl of the OpenAI-compatible API, without a slash at the end; usually ends in {@code
 *     /v1}
 * @param bearer key of the header {@code Authorization: Bearer}; null sends none
 * @param headers added to every request; may contain a key
 * @param query parameters added to every URL; may contain a key
 * @param secrets values of environment variables in {@code headers} and {@code query}
 */
record Endpoint(
    String baseUrl,
    @Nullable Secret bearer,
    Map<String, String> headers,
    Map<String, String> query,
    Set<String> secrets) {

  Endpoint {
    headers = Map.copyOf(headers);
    query = Map.copyOf(query);
    secrets = Set.copyOf(secrets);
  }

  /** The key for the header; null sends none. */
  @Nullable String bearerValue() {
    return bearer == null ? null : bearer.value();
  }

  /** A text with the secrets of this endpoint replaced by {@code [hidden]}. */
  String redacted(String text) {
    String redacted = bearer == null ? text : text.replace(bearer.value(), "[hidden]");
    for (String secret : secrets) {
      redacted = redacted.replace(secret, "[hidden]");
    }
    return redacted;
  }

  /** The base URL without keys, so that logs never contain a key. */
  @Override
  public String toString() {
    return baseUrl;
  }
}

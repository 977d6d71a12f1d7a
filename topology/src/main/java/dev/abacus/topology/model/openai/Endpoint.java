package dev.abacus.topology.model.openai;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a model is to be found.
 *
 * @param baseUrl of the OpenAI-compatible API, usually ending in {@code /v1}
 * @param key sent as a bearer token; null means none is sent
 */
record Endpoint(String baseUrl, @Nullable String key) {

  Endpoint {
    Objects.requireNonNull(baseUrl, "baseUrl");
  }

  /** Without the key: this ends up in logs. */
  @Override
  public String toString() {
    return baseUrl;
  }
}

package dev.abacus.deploy.simulator.provider;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The provider whose endpoint the simulator resembles. */
public enum Provider {
  /** No provider in particular: accepts every parameter, schema and key. */
  PATIENT("/v1"),
  /** OpenAI. */
  OPENAI("/v1"),
  /** Azure OpenAI, with its v1 paths and with paths of deployments. */
  AZURE("/openai/v1"),
  /** The OpenAI-compatible server of vLLM. */
  VLLM("/v1"),
  /** The OpenAI-compatible API of Ollama. */
  OLLAMA("/v1");

  private final String basePath;

  Provider(String basePath) {
    this.basePath = basePath;
  }

  /**
   * The provider with this name, in lower case.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Provider of(String name) {
    return Arrays.stream(values())
        .filter(provider -> provider.key().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "'%s' is not a provider; providers are %s"
                    .formatted(
                        name,
                        Arrays.stream(values())
                            .map(Provider::key)
                            .collect(Collectors.joining(", ")))));
  }

  /** The name on the command line. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The path of the base URL of clients. */
  public String basePath() {
    return basePath;
  }

  /** Whether a request without a key is refused even if the endpoint accepts any key. */
  public boolean requiresKey() {
    return this == OPENAI || this == AZURE;
  }

  /** Whether the endpoint refuses a wrong key; Ollama ignores keys. */
  public boolean checksKey() {
    return this != OLLAMA;
  }

  /** Whether the provider serves the models of OpenAI, and no others. */
  public boolean servesOpenAiModels() {
    return this == OPENAI || this == AZURE;
  }

  /** Whether the provider reports a cached and a reasoning share of the tokens. */
  public boolean reportsTokenDetails() {
    return this != OLLAMA && this != VLLM;
  }

  /** Whether the provider cuts a prompt that exceeds the context, without an error. */
  public boolean truncatesPrompts() {
    return this == OLLAMA;
  }
}

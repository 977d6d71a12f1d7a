package dev.abacus.deploy.simulator.provider;

import java.util.Locale;

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

  /** The name on the command line. */
  @Override
  public String toString() {
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

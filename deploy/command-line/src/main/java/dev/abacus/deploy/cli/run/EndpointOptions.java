package dev.abacus.deploy.cli.run;

import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.fault.ColdStart;
import dev.abacus.deploy.simulator.limit.RateLimit;
import dev.abacus.deploy.simulator.provider.Provider;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a simulated endpoint that resembles a provider and has limits. */
final class EndpointOptions {

  @Option(
      names = "--like",
      paramLabel = "PROVIDER",
      description =
          "Refuse what this provider refuses, in its form: openai, azure, vllm or ollama "
              + "(default: accept every parameter, schema and model).")
  private Provider provider = Provider.PATIENT;

  @Option(names = "--api-key", description = "Required API key (default: any key is accepted).")
  private @Nullable String apiKey;

  @Option(
      names = "--models",
      paramLabel = "NAME",
      split = ",",
      description = "Models of the endpoint (default: those of the provider).")
  private Set<String> models = Set.of();

  @Option(
      names = "--context-tokens",
      paramLabel = "N",
      description = "Context window of all models in tokens (default: that of each model).")
  private int contextTokens;

  @Option(
      names = "--requests-per-minute",
      paramLabel = "N",
      description = "Limit of requests per minute (default: no limit).")
  private double requestsPerMinute;

  @Option(
      names = "--tokens-per-minute",
      paramLabel = "N",
      description = "Limit of tokens per minute (default: no limit).")
  private double tokensPerMinute;

  @Option(
      names = "--limit-scope",
      paramLabel = "SCOPE",
      description = "What limits count: model or key (default: ${DEFAULT-VALUE}).")
  private RateLimit.Scope scope = RateLimit.Scope.MODEL;

  @Option(
      names = "--limit-algorithm",
      paramLabel = "NAME",
      description = "token-bucket or fixed-window (default: ${DEFAULT-VALUE}).")
  private RateLimit.Algorithm algorithm = RateLimit.Algorithm.TOKEN_BUCKET;

  @Option(
      names = "--limit-window",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "Time over which limits are enforced, with their share of it: 600 a minute over 1 s "
              + "are 10 at once (default: ${DEFAULT-VALUE}).")
  private double windowSeconds;

  @Option(
      names = "--retry-after",
      paramLabel = "FORM",
      description =
          "What refusals say about the next attempt besides x-ratelimit-*: none, seconds, "
              + "date or millis (default: seconds; millis for azure).")
  private RateLimit.@Nullable RetryAfter retryAfter;

  @Option(
      names = "--quota",
      paramLabel = "USD",
      description =
          "Balance of the account; calls are refused once it is empty (default: no limit).")
  private @Nullable Double quotaUsd;

  @Option(
      names = "--cold-start",
      paramLabel = "SECONDS",
      description = "Time to load a model at its first call (default: 0).")
  private double coldStartSeconds;

  @Option(
      names = "--cold-start-refuses",
      description = "Refuse calls with status 503 while a model loads, instead of waiting.")
  private boolean coldStartRefuses;

  @Option(
      names = "--slow-latency",
      paramLabel = "SECONDS",
      defaultValue = "75",
      description = "Latency of calls with the fault 'slow' (default: ${DEFAULT-VALUE}).")
  private double slowSeconds;

  @Option(
      names = "--filtered",
      paramLabel = "TEXT",
      description = "Text in a prompt that the content filter refuses (default: none).")
  private @Nullable String filtered;

  /**
   * The options with these changes.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  SimulatorOptions apply(SimulatorOptions options) {
    RateLimit limit =
        RateLimit.NONE
            .withRequestsPerMinute(requestsPerMinute)
            .withTokensPerMinute(tokensPerMinute)
            .withScope(scope)
            .withAlgorithm(algorithm)
            .withWindowMs(seconds(windowSeconds).toMillis());
    SimulatorOptions changed =
        options
            .withRateLimit(limit)
            .like(provider)
            .withApiKey(apiKey)
            .withModels(models.isEmpty() ? null : models)
            .withContextTokens(contextTokens)
            .withQuota(quotaUsd)
            .withColdStart(new ColdStart.Settings(seconds(coldStartSeconds), coldStartRefuses))
            .withSlow(seconds(slowSeconds))
            .withFiltered(filtered);
    return retryAfter == null ? changed : changed.withRateLimit(limit.withRetryAfter(retryAfter));
  }

  private static Duration seconds(double value) {
    return Duration.ofNanos((long) (value * 1e9));
  }
}

package dev.abacus.deploy.simulator;

import dev.abacus.deploy.simulator.fault.ColdStart;
import dev.abacus.deploy.simulator.fault.FaultInjector;
import dev.abacus.deploy.simulator.fault.Outage;
import dev.abacus.deploy.simulator.limit.Account;
import dev.abacus.deploy.simulator.limit.RateLimiter;
import dev.abacus.deploy.simulator.provider.Provider;
import dev.abacus.deploy.simulator.skill.ModelProfiles;
import java.time.Clock;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an endpoint admits and which calls fail; parts of it change while the endpoint runs. */
public final class EndpointState {

  private final Provider provider;
  private final FaultInjector faults;
  private final RateLimiter limiter;
  private final Account account;
  private final ColdStart coldStart;
  private volatile @Nullable String apiKey;
  private volatile Set<String> models;
  private volatile @Nullable String filtered;
  private volatile Outage outage = new Outage(503, 0, Set.of());

  EndpointState(SimulatorOptions options, ModelProfiles catalogue, Clock clock) {
    Set<String> offered = options.models();
    this.provider = options.provider();
    this.faults = new FaultInjector(options.seed(), options.faults());
    this.limiter = new RateLimiter(options.rateLimit(), clock);
    this.account = new Account(options.quota());
    this.coldStart = new ColdStart(options.coldStart(), clock);
    this.apiKey = options.apiKey();
    this.models = offered == null ? models(provider, catalogue) : offered;
    this.filtered = options.filtered();
  }

  /** The models that a provider has: those of OpenAI, the open ones, or all. */
  private static Set<String> models(Provider provider, ModelProfiles catalogue) {
    Stream<String> chat =
        catalogue.models().stream()
            .filter(model ->
                provider == Provider.PATIENT || model.openAi() == provider.servesOpenAiModels())
            .map(ModelProfiles.ModelProfile::name);
    boolean embeddings = provider == Provider.PATIENT || provider.servesOpenAiModels();
    Stream<String> others =
        catalogue.embeddings().stream()
            .map(ModelProfiles.EmbeddingProfile::name)
            .filter(_ -> embeddings);
    return Stream.concat(chat, others).collect(Collectors.toUnmodifiableSet());
  }

  public Provider provider() {
    return provider;
  }

  public FaultInjector faults() {
    return faults;
  }

  public RateLimiter limiter() {
    return limiter;
  }

  public Account account() {
    return account;
  }

  ColdStart coldStart() {
    return coldStart;
  }

  @Nullable String apiKey() {
    return apiKey;
  }

  /** Requires another key from now on, or accepts any if null. */
  public void changeKey(@Nullable String key) {
    apiKey = key;
  }

  Set<String> models() {
    return models;
  }

  /** Offers exactly these models from now on. */
  public void changeModels(Set<String> names) {
    models = Set.copyOf(names);
  }

  @Nullable String filtered() {
    return filtered;
  }

  /** Refuses prompts with this text from now on, or none if null. */
  public void changeFiltered(@Nullable String text) {
    filtered = text;
  }

  Outage outage() {
    return outage;
  }

  /** Starts an outage; it replaces the present one. */
  public void changeOutage(Outage other) {
    outage = other;
  }
}

package dev.abacus.deploy.simulator;

import dev.abacus.deploy.simulator.fault.ColdStart;
import dev.abacus.deploy.simulator.fault.FaultInjector;
import dev.abacus.deploy.simulator.fault.FaultKind;
import dev.abacus.deploy.simulator.fault.Outage;
import dev.abacus.deploy.simulator.limit.Account;
import dev.abacus.deploy.simulator.limit.RateLimiter;
import dev.abacus.deploy.simulator.provider.Provider;
import dev.abacus.deploy.simulator.skill.ModelProfiles;
import java.time.Clock;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options of an endpoint, which may change while it runs, and what counts calls against them.
 * The present limits are those of the limiter, the present balance is that of the account.
 */
public final class EndpointState {

  private final FaultInjector faults;
  private final RateLimiter limiter;
  private final Account account;
  private final ColdStart coldStart;
  private volatile SimulatorOptions options;
  private volatile Outage outage = new Outage(503, 0, Set.of());

  EndpointState(SimulatorOptions options, ModelProfiles catalogue, Clock clock) {
    this.options =
        options.models() == null
            ? options.withModels(models(options.provider(), catalogue))
            : options;
    this.faults = new FaultInjector(options.seed());
    this.limiter = new RateLimiter(options.rateLimit(), clock);
    this.account = new Account(options.quota());
    this.coldStart = new ColdStart(options.coldStart(), clock);
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

  /** The options in force. */
  SimulatorOptions options() {
    return options;
  }

  /** The models that the endpoint offers. */
  Set<String> models() {
    return Objects.requireNonNull(options.models());
  }

  /** Changes key, models, faults or filter from now on; other options apply from the start only. */
  public synchronized void change(UnaryOperator<SimulatorOptions> change) {
    options = change.apply(options);
  }

  /** The fault of the next call, or null if it succeeds. */
  @Nullable FaultKind nextFault(String model) {
    return faults.next(options.faults().of(model));
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

  Outage outage() {
    return outage;
  }

  /** Starts an outage; it replaces the present one. */
  public void changeOutage(Outage other) {
    outage = other;
  }
}

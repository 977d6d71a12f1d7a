package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.ModelState;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.control.InstanceStatus.ModelReport;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks, without a call of a model, which models of the catalogue can be called: whether the key
 * variables are set, and whether the endpoints list the models. A model is available unless one of
 * the checks says otherwise; an endpoint without a list tells at the first call.
 *
 * <p>Thread-safe.
 */
public final class ModelInventory {

  /** Time between two checks while a model is missing; otherwise {@link #INTERVAL}. */
  private static final Duration INTERVAL_IF_MISSING = Duration.ofSeconds(30);

  private static final Duration INTERVAL = Duration.ofMinutes(10);

  /** How long a sample waits for the first check. */
  private static final Duration FIRST_CHECK = Duration.ofSeconds(40);

  /** Cards with equal values share a list of models. */
  private record ListKey(
      @Nullable String address,
      @Nullable String keyVariable,
      @Nullable String keyHeader,
      Map<String, String> headers) {}

  private final ModelCatalogue catalogue;
  private final List<? extends ModelProvider> providers;
  private final InstantSource clock;
  private final CountDownLatch checked = new CountDownLatch(1);
  private volatile Map<String, ModelReport> reports = Map.of();

  /**
   * An inventory that has checked nothing.
   *
   * @param providers in the order in which they are asked
   */
  public ModelInventory(
      ModelCatalogue catalogue, List<? extends ModelProvider> providers, InstantSource clock) {
    this.catalogue = catalogue;
    this.providers = List.copyOf(providers);
    this.clock = clock;
  }

  /** One report for each model of the catalogue; empty before the first check. */
  public List<ModelReport> reports() {
    return List.copyOf(reports.values());
  }

  /**
   * The report on a model that cannot be called; null if it can be called as far as is known. Waits
   * for the first check, for at most 40 s.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public @Nullable ModelReport problem(String model) throws InterruptedException {
    boolean known = checked.await(FIRST_CHECK.toMillis(), TimeUnit.MILLISECONDS);
    ModelReport report = known ? reports.get(ServiceTier.standard(model)) : null;
    return report == null || report.state() == ModelState.AVAILABLE ? null : report;
  }

  /** The address of the endpoint of a card; null if its provider calls no endpoint for it. */
  public @Nullable String address(ModelCard card) {
    ModelProvider provider = ModelProvider.of(providers, card);
    return provider == null ? null : provider.address(card);
  }

  /** The time until the next check: shorter while a model is missing. */
  public Duration interval() {
    return reports.values().stream().allMatch(one -> one.state() == ModelState.AVAILABLE)
        ? INTERVAL
        : INTERVAL_IF_MISSING;
  }

  /**
   * Checks all models.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public void check() throws InterruptedException {
    Map<ListKey, @Nullable Set<String>> lists = new HashMap<>();
    Map<String, ModelReport> found = new TreeMap<>();
    for (String name : catalogue.names()) {
      ModelReport now = check(catalogue.get(name), lists);
      ModelReport before = reports.get(name);
      found.put(
          name,
          before != null && before.state() == now.state() && before.message().equals(now.message())
              ? before
              : now);
    }
    reports = Map.copyOf(found);
    checked.countDown();
  }

  private ModelReport check(ModelCard card, Map<ListKey, @Nullable Set<String>> lists)
      throws InterruptedException {
    ModelProvider provider = ModelProvider.of(providers, card);
    if (provider == null) {
      return report(card, ModelState.AVAILABLE, "");
    }
    String missingPart = provider.missingPart(card);
    if (missingPart != null) {
      return report(card, ModelState.MISSING, missingPart);
    }
    String missingKey = provider.missingKey(card);
    if (missingKey != null) {
      return report(card, ModelState.NO_KEY, missingKey);
    }
    String address = provider.address(card);
    ListKey key = new ListKey(address, card.keyVariable(), card.keyHeader(), card.headers());
    if (!lists.containsKey(key)) {
      lists.put(key, isAzure(card, address) ? null : provider.served(card));
    }
    Set<String> served = lists.get(key);
    return served == null || lists(served, card.nameAtEndpoint())
        ? report(card, ModelState.AVAILABLE, "")
        : report(
            card,
            ModelState.MISSING,
            "%s lists %d models without '%s'"
                .formatted(
                    Objects.requireNonNullElse(address, "the endpoint"),
                    served.size(),
                    card.nameAtEndpoint()));
  }

  /** Azure lists models, but is called with the names of deployments. */
  private static boolean isAzure(ModelCard card, @Nullable String address) {
    return (address != null && address.contains(".azure.com"))
        || card.query().containsKey("api-version")
        || "api-key".equals(card.keyHeader());
  }

  /** Ollama lists a name without a tag with the tag {@code latest}. */
  private static boolean lists(Set<String> served, String name) {
    return served.contains(name) || served.contains(name + ":latest");
  }

  private ModelReport report(ModelCard card, ModelState state, String message) {
    return new ModelReport(card.name(), state, clock.instant(), message);
  }
}

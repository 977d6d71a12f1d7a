package dev.abacus.deploy.cli.option;

import dev.abacus.deploy.local.LocalStack;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.InstanceStatus.ModelReport;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.model.ModelInventory;
import dev.abacus.topology.model.openai.Endpoints;
import dev.abacus.topology.model.openai.OpenAiProvider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tries endpoint, key and models before anything starts, so that a mistake ends a command at once.
 * Asks each endpoint for its list of models, and calls none.
 */
final class EndpointTrial {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final ModelCatalogue catalogue;
  private final OpenAiProvider provider;
  private final Map<String, String> refusals = new HashMap<>();

  EndpointTrial(ModelCatalogue catalogue, ModelEndpoint models) {
    this.catalogue = catalogue;
    this.provider =
        new OpenAiProvider(
            new Endpoints(
                models.uri().toString(), LocalStack.keyOrNone(models.key()), System::getenv));
  }

  /**
   * Checks that every program has a model that can be called.
   *
   * @param note receives one line about each other model
   * @throws CommandFailure if a program has none, or if there is no program and nobody answers
   */
  void require(List<Program> programs, Consumer<String> note) {
    try {
      List<ModelCard> all = catalogue.ofKind(ModelCard.Kind.CHAT);
      if (programs.isEmpty()) {
        String refusal = refusal(all.getFirst());
        if (refusal != null) {
          throw failure(refusal);
        }
      }
      for (Program program : programs) {
        List<ModelCard> cards =
            catalogue.chatModels(program.models(), program.tiers()).stream()
                .map(catalogue::get)
                .toList();
        List<String> problems = problems(cards);
        if (problems.size() == cards.size()) {
          throw failure(String.join("\n", new LinkedHashSet<>(problems)));
        }
        new LinkedHashSet<>(problems).forEach(note);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.interrupted("interrupted while trying the endpoint", "Run it again.");
    }
  }

  private List<String> problems(List<ModelCard> cards) throws InterruptedException {
    List<String> problems = new ArrayList<>();
    List<ModelCard> reachable = new ArrayList<>();
    for (ModelCard card : cards) {
      String refusal = refusal(card);
      if (refusal == null) {
        reachable.add(card);
      } else {
        problems.add(refusal);
      }
    }
    ModelInventory inventory =
        new ModelInventory(ModelCatalogue.of(reachable), List.of(provider), InstantSource.system());
    inventory.check();
    for (ModelCard card : reachable) {
      ModelReport report = inventory.problem(card.name());
      if (report != null) {
        problems.add(report.message());
      }
    }
    return problems;
  }

  /** Models of one address and key share an answer. */
  private @Nullable String refusal(ModelCard card) throws InterruptedException {
    String endpoint = provider.address(card) + " " + card.keyVariable() + " " + card.keyHeader();
    String known = refusals.get(endpoint);
    if (known == null) {
      String refusal = provider.refusal(card, LIMIT);
      known = refusal == null ? "" : refusal;
      refusals.put(endpoint, known);
    }
    return known.isEmpty() ? null : known;
  }

  private static CommandFailure failure(String reason) {
    return CommandFailure.failed(
        "the models cannot be called: " + reason,
        "Check --model-endpoint or OPENAI_BASE_URL, OPENAI_API_KEY and 'models' of the program;"
            + " without an endpoint, models are simulated.");
  }
}

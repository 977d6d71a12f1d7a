package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.loop.state.ModelAvailability;
import dev.abacus.optimizer.loop.state.ModelAvailability.Outage;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.InstanceStatus.ModelReport;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says which models cannot be called, what the search does about it, and what the user can do. */
record OutageReport(ProgramSnapshot view, ModelCatalogue catalogue) {

  private ModelAvailability availability() {
    return view.availability();
  }

  List<ModelReport> unavailable() {
    return availability().outages().stream()
        .filter(this::isToldOf)
        .map(outage ->
            new ModelReport(outage.model(), outage.state(), outage.since(), message(outage)))
        .toList();
  }

  /** A program that names no models uses those of the catalogue that the endpoint has. */
  private boolean isToldOf(Outage outage) {
    return !view.program().models().isEmpty()
        || !outage.state().isPermanent()
        || outage.equals(availability().judge())
        || availability().hasOperatorWithoutModel();
  }

  private String message(Outage outage) {
    boolean judge = outage.equals(availability().judge());
    String model = (judge ? "judge '" : "model '") + outage.model() + "'";
    return switch (outage.state()) {
          case MISSING -> model + " is not served";
          case NO_KEY -> model + " has no valid key";
          case UNREACHABLE, AVAILABLE -> model + ": waiting since " + time(outage.since());
        }
        + " ("
        + outage.reason()
        + "); "
        + consequence(outage, judge)
        + remedy(outage, judge);
  }

  private String consequence(Outage outage, boolean judge) {
    if (availability().isPaused(outage)) {
      return "samples that need it wait until " + time(outage.pausedUntil());
    }
    return judge
        ? "no example is sampled whose answer it would have to judge"
        : "its implementations are left out until it answers";
  }

  private String remedy(Outage outage, boolean judge) {
    String other = judge ? "name another one with 'judge:', or label the examples" : "";
    return switch (outage.state()) {
      case MISSING ->
          isEmbedder(outage.model())
              ? ". Install the embedder (abacus-VERSION-embedder.tar.gz) and restart the worker, or"
                  + " serve the model at the endpoint of its card"
              : judge
                  ? ". Serve it at the endpoint, " + other
                  : ". Serve it at the endpoint, correct its entry in the catalogue, or remove it"
                      + " from 'models:'";
      case NO_KEY ->
          ". Set a valid key and restart the worker"
              + (judge ? ", " + other : ", or remove the model from 'models:'");
      case UNREACHABLE, AVAILABLE -> "";
    };
  }

  private boolean isEmbedder(String model) {
    ModelCard card = catalogue.find(model);
    return card != null && card.kind() == ModelCard.Kind.EMBEDDING;
  }

  private static String time(@Nullable Instant instant) {
    return instant == null ? "?" : instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Whether the judge is a model of the program, and no other model can replace it as judge. */
  boolean judgesItself() {
    String judge = view.program().judge();
    return availability().isJudgeNeeded()
        && view.program().semanticOperators().stream()
            .flatMap(operator -> view.arms(operator).stream())
            .anyMatch(arm -> arm.chatModels().contains(judge))
        && catalogue.ofKind(ModelCard.Kind.CHAT).stream()
            .map(ModelCard::name)
            .allMatch(model -> model.equals(judge) || availability().reportedOut().contains(model));
  }
}

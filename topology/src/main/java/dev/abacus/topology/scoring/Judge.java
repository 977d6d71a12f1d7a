package dev.abacus.topology.scoring;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.Reasoning;
import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.RequestHash;
import dev.abacus.topology.operator.OperatorFailure.ModelFailed;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Scores outputs by asking a model (paper, section 2.2).
 *
 * <p>A model does not judge itself where another can. If the program's judge is one of the
 * operator's own models, the other chat models of the catalogue replace it, in the order of their
 * published quality (ties by name). A model that the endpoint does not know, or for which there is
 * no key, is skipped. If none of them can be called, the program's judge judges its own answers.
 *
 * <p>Judgements are cached by request, so that implementations with the same output on the same
 * example are judged once.
 */
public final class Judge {

  private static final int MAX_CACHED = 100_000;
  private static final int MAX_CANDIDATES = 3;

  /** The result of asking a judge; the cost is in USD. */
  sealed interface Judgement<A> {

    /**
     * An answer: a score in [0, 1], or a decision about a pair.
     *
     * @param cost 0 if the judgement was cached
     */
    record Known<A>(A answer, double cost) implements Judgement<A> {}

    /** No judge gave a valid answer after all retries. This counts neither as 0 nor as 1. */
    record Unknown<A>(String reason, double cost) implements Judgement<A> {}

    /** The provider of the judge is the reason that there is no answer. */
    record Unavailable<A>(ModelFailed fault, double cost) implements Judgement<A> {}
  }

  private final ModelCatalogue catalogue;
  private final Cache<String, Object> answers =
      Caffeine.newBuilder().maximumSize(MAX_CACHED).build();

  /** A judge with the chat models of a catalogue. */
  public Judge(ModelCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  /**
   * Asks for a judgement.
   *
   * @param question the prompt about an output or a pair
   * @param task the judge that the program names, how it reasons, and the models of the operator
   */
  @SuppressWarnings("unchecked") // the hash includes the format of the answer
  <A> Judgement<A> judge(Prompt<A> question, SampleTask task, ModelClient client)
      throws InterruptedException {
    double cost = 0;
    ModelFailed fault = null;
    for (String model : candidates(task.judge(), task.physical().chatModels())) {
      Prompt<A> prompt = question.reasoning(reasoning(model, task.judgeReasoning()));
      String hash = RequestHash.of(prompt.request(model));
      Object cached = answers.getIfPresent(hash);
      if (cached != null) {
        return new Judgement.Known<>((A) cached, cost);
      }
      StructuredAnswer<A> answer =
          CallPurpose.current()
              .as(CallPurpose.Kind.JUDGE)
              .call(() -> StructuredCall.ask(client, model, prompt));
      cost += answer.stats().cost();
      switch (answer) {
        case StructuredAnswer.Valid<A>(A valid, ExecutionStats _) -> {
          answers.put(hash, valid);
          return new Judgement.Known<>(valid, cost);
        }
        case StructuredAnswer.Failed<A>(ModelFailure failure, ExecutionStats _) -> {
          if (!failure.isProviderFault()) {
            return new Judgement.Unknown<>("judge " + model + ": " + failure.message(), cost);
          }
          fault = new ModelFailed(model, failure);
          if (!isUnavailable(failure)) {
            return new Judgement.Unavailable<>(fault, cost);
          }
        }
      }
    }
    return new Judgement.Unavailable<>(Objects.requireNonNull(fault), cost);
  }

  /** The models to ask, the first choice first; at least one. */
  List<String> candidates(String preferred, Collection<String> own) {
    if (!own.contains(preferred)) {
      return List.of(preferred);
    }
    Stream<String> others =
        catalogue.ofKind(ModelCard.Kind.CHAT).stream()
            .filter(card -> !own.contains(card.name()))
            .sorted(
                Comparator.comparingDouble(ModelCard::quality)
                    .reversed()
                    .thenComparing(ModelCard::name))
            .limit(MAX_CANDIDATES)
            .map(ModelCard::name);
    return Stream.concat(others, Stream.of(preferred)).toList();
  }

  /** How a model reasons that may stand in for the judge: an effort only if it takes one. */
  private @Nullable Reasoning reasoning(String model, @Nullable Reasoning wanted) {
    ModelCard card = catalogue.find(model);
    boolean takesEffort = card != null && Boolean.TRUE.equals(card.supports().reasoningEffort());
    return wanted == Reasoning.STEPS || takesEffort ? wanted : null;
  }

  private static boolean isUnavailable(ModelFailure failure) {
    return failure instanceof ModelFailure.UnknownModel
        || failure instanceof ModelFailure.AuthenticationFailed;
  }
}

package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.RequestHash;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.PromptMessages;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Scores outputs by asking a model (paper, section 2.2).
 *
 * <p>No model judges itself: where the judge named is among the operator's own models, the
 * catalogue's other chat model of the highest published quality judges in its place (ties by name).
 * Of those, one that the endpoint does not know, or that we have no key for, is passed over for the
 * next.
 *
 * <p>A judgement is remembered by everything that it was based on, so that implementations with the
 * same output on the same example are judged once.
 */
public final class Judge {

  private static final int MOST_REMEMBERED = 100_000;
  private static final int MOST_CANDIDATES = 3;

  private final ModelCatalogue catalogue;
  private final Cache<String, Double> known =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).build();

  /** A judge out of this catalogue. */
  public Judge(ModelCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  /**
   * Scores an output.
   *
   * @param input what the operator read
   * @param output what it wrote
   * @param wanted the judge that the program names
   * @param own the operator's models
   */
  Judgement judge(
      JudgePrompt question,
      Document input,
      JsonNode output,
      String wanted,
      Collection<String> own,
      ModelClient client)
      throws InterruptedException {
    PromptMessages prompt =
        new PromptMessages(question.system(), DocumentMessage.of(input, output));
    double cost = 0;
    String reason = "the catalogue has no chat model beside the operator's own to judge it";
    for (String model : candidates(wanted, own)) {
      String hash = RequestHash.of(StructuredCall.request(model, prompt, question));
      Double remembered = known.getIfPresent(hash);
      if (remembered != null) {
        return new Judgement.Known(remembered, cost);
      }
      StructuredAnswer<Double> reply = StructuredCall.ask(client, model, prompt, question);
      cost += reply.stats().cost();
      switch (reply) {
        case StructuredAnswer.Answered<Double>(Double score, _) -> {
          known.put(hash, score);
          return new Judgement.Known(score, cost);
        }
        case StructuredAnswer.Unanswered<Double>(ModelFailure failure, _) -> {
          reason = "judge " + model + ": " + failure.message();
          if (!isAbsent(failure)) {
            return new Judgement.Unknown(reason, cost);
          }
        }
      }
    }
    return new Judgement.Unknown(reason, cost);
  }

  List<String> candidates(String wanted, Collection<String> own) {
    if (!own.contains(wanted)) {
      return List.of(wanted);
    }
    Stream<ModelCard> others =
        catalogue.ofKind(ModelCard.Kind.CHAT).stream()
            .filter(card -> !own.contains(card.name()))
            .sorted(
                Comparator.comparingDouble(ModelCard::quality)
                    .reversed()
                    .thenComparing(ModelCard::name));
    return others.limit(MOST_CANDIDATES).map(ModelCard::name).toList();
  }

  private static boolean isAbsent(ModelFailure failure) {
    return failure instanceof ModelFailure.UnknownModel
        || failure instanceof ModelFailure.AuthenticationFailed;
  }
}

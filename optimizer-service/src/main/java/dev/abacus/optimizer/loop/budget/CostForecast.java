package dev.abacus.optimizer.loop.budget;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ChoiceJoin;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.GradedExample;
import dev.abacus.schemas.plan.LearnedCascade;
import dev.abacus.schemas.plan.ModelCascade;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.PairwiseResolution;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.Learnable;
import dev.abacus.schemas.plan.PhysicalOperator.Ranking;
import dev.abacus.schemas.plan.PhysicalOperator.Shortlisting;
import dev.abacus.schemas.plan.PhysicalOperator.WithExamples;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Reasoning;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticRank;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts the cost of a sample in USD and in tokens, judge included, so that a budget is not
 * exceeded: the highest cost observed for the implementation, or before its first observation an
 * upper estimate from the prices of its models.
 */
public final class CostForecast {

  private static final int CHARACTERS_PER_TOKEN = 3;

  /** Tokens of instructions and schema. */
  private static final int PROMPT_TOKENS = 400;

  private static final int ANSWER_TOKENS = 400;

  /** Tokens of an item of a reference. */
  private static final int ITEM_TOKENS = 100;

  /** Minimum number of pairs in a sample of a join. */
  private static final int PAIRS = 32;

  private final ModelCatalogue catalogue;
  private final Map<String, Double> largest = new HashMap<>();
  private final Map<String, Long> mostTokens = new HashMap<>();

  public CostForecast(ModelCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  public void learn(Observation observation) {
    boolean embedded = observation.outcome() == Observation.Outcome.EMBEDDED;
    boolean idle = observation.outcome() == Observation.Outcome.FAILED && observation.spent() == 0;
    // A sample that a provider interrupts costs less than a complete one.
    boolean interrupted = observation.outcome() == Observation.Outcome.UNAVAILABLE;
    if (!idle && !interrupted) {
      String key = key(observation.operator(), observation.physical(), embedded);
      largest.merge(key, observation.spent(), Math::max);
      if (observation.tokens() != null) {
        mostTokens.merge(key, tokens(observation), Math::max);
      }
    }
  }

  /** Samples that only embed are counted apart, because they cost less than an answer. */
  private static String key(String operator, String physical, boolean embedded) {
    return operator + '\n' + physical + (embedded ? "\nembedded" : "");
  }

  double of(SampleTask task) {
    Double seen = largest.get(key(task.operator().id(), task.physical().id(), task.evidenceOnly()));
    if (seen != null) {
      return seen;
    }
    if (task.evidenceOnly()) {
      return task.physical() instanceof Learnable learnable ? features(learnable, task.input()) : 0;
    }
    double usd =
        task.needsJudge()
            ? price(
                task.judge(),
                inputTokens(task.input()) + judgeExampleTokens(task),
                tokens(task.judgeReasoning()))
            : 0;
    int calls = calls(task);
    for (String model : task.physical().chatModels()) {
      usd += calls * price(model, inputTokens(task), reasoningTokens(task.physical()));
    }
    return usd;
  }

  /** Tokens of chat models, judge included; 0 if they were not counted. */
  public static long tokens(Observation observation) {
    return observation.tokens() == null ? 0 : observation.tokens().total();
  }

  /** Tokens of chat models, judge included. */
  long tokens(SampleTask task) {
    Long seen =
        mostTokens.get(key(task.operator().id(), task.physical().id(), task.evidenceOnly()));
    if (seen != null) {
      return seen;
    }
    if (task.evidenceOnly()) {
      return task.paysForEvidence() ? inputTokens(task.input()) + ANSWER_TOKENS : 0;
    }
    long one = inputTokens(task) + ANSWER_TOKENS;
    long judge =
        task.needsJudge() ? one + judgeExampleTokens(task) + tokens(task.judgeReasoning()) : 0;
    return judge
        + (long) calls(task)
            * task.physical().chatModels().size()
            * (one + reasoningTokens(task.physical()));
  }

  private static long inputTokens(SampleTask task) {
    if (task.operator() instanceof SemanticRank rank
        && task.physical() instanceof Ranking ranking) {
      return rankedTokens(ranking, rank, task.input());
    }
    List<SolvedExample> shown =
        task.physical() instanceof WithExamples few && few.shown() != null
            ? few.shown()
            : List.of();
    // A prompt shows some of the examples: at most the longest.
    long characters =
        shown.stream()
            .map(example -> example.input().toBytes().length + example.label().toString().length())
            .sorted(Comparator.reverseOrder())
            .limit(task.physical().examples())
            .mapToLong(Integer::longValue)
            .sum();
    long items =
        task.physical() instanceof Shortlisting search ? (long) search.k() * ITEM_TOKENS : 0;
    return inputTokens(task.input()) + items + characters / CHARACTERS_PER_TOKEN;
  }

  private static long judgeExampleTokens(SampleTask task) {
    long characters = 0;
    for (GradedExample example :
        Objects.requireNonNullElse(task.judgeExamples(), List.<GradedExample>of())) {
      characters += example.input().toBytes().length;
      for (Document output : example.outputs()) {
        characters += output.toBytes().length;
      }
    }
    return characters / CHARACTERS_PER_TOKEN;
  }

  /** Output tokens of reasoning that is set by the implementation: an upper estimate. */
  private static long reasoningTokens(PhysicalOperator physical) {
    return tokens(
        switch (physical) {
          case ModelSelection selection -> selection.reasoning();
          case NestedLoopsJoin join -> join.reasoning();
          case PhysicalOperator _ -> null;
        });
  }

  private static long tokens(@Nullable Reasoning reasoning) {
    return switch (reasoning) {
      case null -> 0;
      case STEPS -> 300;
      case LOW -> 1_000;
      case MEDIUM -> 3_000;
      case HIGH -> 8_000;
    };
  }

  /** The tokens of the document and of the items that a call of a rank shows. */
  private static long rankedTokens(Ranking ranking, SemanticRank rank, Document input) {
    int items = input.get(rank.items()).toString().length();
    int all = input.toBytes().length;
    long shown = (long) items * ranking.shown() / Math.max(1, input.get(rank.items()).size());
    return PROMPT_TOKENS
        + (Math.max(0, all - items) + Math.min(items, shown)) / CHARACTERS_PER_TOKEN;
  }

  /** An upper estimate of the calls of one model. */
  private static int calls(SampleTask task) {
    return switch (task.operator()) {
      case ReferenceJoin _ when task.physical() instanceof ChoiceJoin -> 1;
      case ReferenceJoin _ -> PAIRS + (task.label() == null ? 0 : task.label().size());
      case SemanticRank rank when task.physical() instanceof Ranking ranking -> {
        int items = task.input().get(rank.items()).size();
        yield ranking.calls(items, rank.kept(items));
      }
      case LogicalOperator _ ->
          task.physical() instanceof PairwiseResolution resolution ? resolution.k() : 1;
    };
  }

  private static long inputTokens(Document input) {
    return (long) PROMPT_TOKENS + input.toBytes().length / CHARACTERS_PER_TOKEN;
  }

  private double features(Learnable learnable, Document input) {
    return switch (learnable) {
      case LearnedCascade cascade -> embedding(cascade.embedder(), input);
      case EmbeddingJoin join -> embedding(join.embedder(), input);
      case ModelCascade cascade -> price(cascade.proxy(), inputTokens(input), 0);
    };
  }

  private double embedding(String embedder, Document input) {
    ModelCard card = catalogue.find(embedder);
    return card == null ? 0 : card.cost(1 + input.toBytes().length / CHARACTERS_PER_TOKEN, 0, 0);
  }

  private double price(String model, long inputTokens, long reasoningTokens) {
    ModelCard card = catalogue.find(model);
    return card == null ? 0 : card.cost(inputTokens, 0, ANSWER_TOKENS + reasoningTokens);
  }
}

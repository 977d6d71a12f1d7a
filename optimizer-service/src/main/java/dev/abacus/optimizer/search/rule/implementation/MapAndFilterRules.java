package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.optimizer.search.rule.ImplementationRule.Choices;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.plan.CompressedContext;
import dev.abacus.schemas.plan.ConditionByCondition;
import dev.abacus.schemas.plan.CritiqueAndRefine;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.Gleaning;
import dev.abacus.schemas.plan.HeadAndTail;
import dev.abacus.schemas.plan.LearnedCascade;
import dev.abacus.schemas.plan.MixtureOfAgents;
import dev.abacus.schemas.plan.ModelCascade;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.ReducedContext;
import dev.abacus.schemas.plan.SplitAndMerge;
import dev.abacus.schemas.plan.TupleBatch;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rules for maps and filters. Each rule is a technique with its parameter grid; the drawings show
 * the operator before and after.
 */
final class MapAndFilterRules {

  /** Sizes and numbers of chunks in {@link #REDUCED_CONTEXT}. */
  private static final List<Integer> CHUNK_TOKENS = List.of(320, 640, 1280);

  private static final List<Integer> CHUNKS = List.of(1, 2, 4);

  /** Tokens of a part of a long text. */
  private static final List<Integer> PART_TOKENS = List.of(1_280, 5_120);

  private static final int MAX_PROPOSERS = 3;
  private static final List<Double> TEMPERATURES = List.of(0.0, 0.4, 0.8);

  /** Target accuracies of the classifiers of cascades. */
  private static final List<Double> TARGETS = List.of(0.9, 0.95);

  /** Number of examples that are the same for all documents. */
  private static final List<Integer> EXAMPLES = List.of(2, 6);

  /** Number of examples that are chosen by their similarity to the document. */
  private static final int SIMILAR = 4;

  /**
   * A map or filter as one call of one model (paper, section 4.1). Parameters: model.
   *
   * <pre>{@code
   * map, filter  ==>  one call of model m over the whole input
   * }</pre>
   *
   * <p>Preserves meaning: the model gets the whole task and the whole input, and answers in the
   * form that the operator asks for.
   */
  static final ImplementationRule MODEL_SELECTION =
      ImplementationRule.ofPaper(
          "ImplementWithModelSelection",
          MapAndFilterRules::isMapOrFilter,
          choices -> choices.perModel(ModelSelection::new));

  /**
   * A map or filter over the most relevant chunks of its input (paper, section 4.1). Parameters:
   * model × embedder × chunk size in tokens × number of chunks.
   *
   * <pre>{@code
   *                   chunks of the input, at most c tokens each
   *                     |  embedder e: the k most similar to the task
   * map, filter  ==>    v
   *                   one call of model m over those k chunks
   * }</pre>
   *
   * <p>Preserves meaning: the task and the form of the answer stay the same. Information lost with
   * the other chunks lowers the measured quality.
   */
  static final ImplementationRule REDUCED_CONTEXT =
      ImplementationRule.ofPaper(
          "ImplementWithReducedContext",
          MapAndFilterRules::isMapOrFilter,
          choices ->
              choices.perEmbedder((model, embedder) ->
                  CHUNK_TOKENS.stream()
                      .flatMap(tokens ->
                          CHUNKS.stream()
                              .map(
                                  chunks -> new ReducedContext(model, embedder, tokens, chunks)))));

  /**
   * A map or filter in three calls (paper, section 4.1). Parameters: generator × critic × refiner.
   *
   * <pre>{@code
   *                   generator g   ──►   critic c   ──►   refiner r
   * map, filter  ==>    an answer          its faults        the corrected answer
   * }</pre>
   *
   * <p>Preserves meaning: each model gets the whole task and the whole input, and the refiner
   * answers in the form that the operator asks for.
   */
  static final ImplementationRule CRITIQUE_AND_REFINE =
      ImplementationRule.ofPaper(
          "ImplementWithCritiqueAndRefine",
          MapAndFilterRules::isMapOrFilter,
          choices ->
              choices.perModels((generator, critic) ->
                  choices.models().stream()
                      .map(refiner -> new CritiqueAndRefine(generator, critic, refiner))));

  /**
   * A map or filter as a mixture of agents (paper, section 4.1). Parameters: set of one to three
   * proposers × their temperature × aggregator.
   *
   * <pre>{@code
   *                   proposer 1   proposer 2   proposer 3     in parallel, temperature t
   * map, filter  ==>        \           |           /
   *                         aggregator m                     sees the input and the proposals
   * }</pre>
   *
   * <p>Preserves meaning: every model gets the whole task and the whole input, and the aggregator
   * answers in the form that the operator asks for.
   */
  static final ImplementationRule MIXTURE_OF_AGENTS =
      ImplementationRule.ofPaper(
          "ImplementWithMixtureOfAgents",
          MapAndFilterRules::isMapOrFilter,
          MapAndFilterRules::mixtures);

  /**
   * A map or filter over the beginning and the end of long texts. Parameters: model × tokens kept.
   * Not in the paper. Contracts, for example, name their parties first and are signed last.
   *
   * <pre>{@code
   *                   first t/2 tokens … last t/2 tokens
   * map, filter  ==>    |
   *                   one call of model m
   * }</pre>
   *
   * <p>Preserves meaning: the task and the form of the answer stay the same. Information lost with
   * the middle lowers the measured quality.
   */
  static final ImplementationRule HEAD_AND_TAIL =
      ImplementationRule.notInPaper(
          "ImplementWithHeadAndTail",
          MapAndFilterRules::isMapOrFilter,
          choices -> choices.perModel(PART_TOKENS, HeadAndTail::new));

  /**
   * A map or filter asked of every chunk, with the answers merged by the same model. Parameters:
   * model × chunk size in tokens. Not in the paper (DocETL: Agentic query rewriting, 2024). No part
   * of a long document is overlooked or exceeds the context.
   *
   * <pre>{@code
   *                   chunk 1   chunk 2   …   chunk n      model m each
   * map, filter  ==>     \         |          /
   *                     merged by model m
   * }</pre>
   *
   * <p>Preserves meaning: the model processes every part of the input under the same task, and the
   * merged answer has the form that the operator asks for.
   */
  static final ImplementationRule SPLIT_AND_MERGE =
      ImplementationRule.notInPaper(
          "ImplementWithSplitAndMerge",
          MapAndFilterRules::isMapOrFilter,
          choices ->
              choices.perModel(
                  PART_TOKENS, (model, tokens) -> new SplitAndMerge(model, tokens, model)));

  /**
   * A map or filter over a summary of the relevant input. Parameters: compressor × model, two
   * different ones. Not in the paper. A cheap model reads, a better model decides.
   *
   * <pre>{@code
   *                   compressor c: what is relevant to the task
   * map, filter  ==>    |
   *                   model m answers from the summary alone
   * }</pre>
   *
   * <p>Preserves meaning: the task and the form of the answer stay the same. Information that the
   * compressor omits lowers the measured quality.
   */
  static final ImplementationRule COMPRESSED_CONTEXT =
      ImplementationRule.notInPaper(
          "ImplementWithCompressedContext",
          MapAndFilterRules::isMapOrFilter,
          choices ->
              choices.perModels((compressor, model) ->
                  compressor.equals(model)
                      ? Stream.empty()
                      : Stream.of(new CompressedContext(compressor, model))));

  /**
   * A map whose model checks its own answer for missing items. Parameters: model × maximum number
   * of rounds. Not in the paper (DocETL, 2024). A single call often returns incomplete lists.
   *
   * <pre>{@code
   *           model m answers ◄──────────┐
   * map  ==>    |                        |  what is missing, at most r rounds
   *           the same model ────────────┘
   * }</pre>
   *
   * <p>Preserves meaning: every round repeats the same task and adds what is missing. Does not fire
   * on filters: their answer has no missing items.
   */
  static final ImplementationRule GLEANING =
      ImplementationRule.notInPaper(
          "ImplementMapWithGleaning",
          operator -> operator instanceof SemanticMap,
          choices ->
              choices.perModel(
                  List.of(1, 2), (model, rounds) -> new Gleaning(model, model, rounds)));

  /**
   * A map or filter over several documents in one call. Parameters: model × batch size in
   * documents. Not in the paper. The instruction is paid for once per batch.
   *
   * <pre>{@code
   *                   document 1 … document n
   * map, filter  ==>    |
   *                   one call of model m: answer 1 … answer n
   * }</pre>
   *
   * <p>Preserves meaning: each document gets its own answer in the form asked for. A document whose
   * answer is missing or invalid is asked for alone. Does not fire on a one-to-many map: its
   * answers could not be assigned to documents.
   */
  static final ImplementationRule TUPLE_BATCH =
      ImplementationRule.notInPaper(
          "ImplementWithTupleBatch",
          operator ->
              isMapOrFilter(operator)
                  && !(operator instanceof SemanticMap map
                      && map.cardinality() == SemanticMap.Cardinality.MANY),
          choices -> choices.perModel(List.of(4, 16), TupleBatch::new));

  /**
   * A conjunctive filter as one call per condition. Parameters: model. Not in the paper. Most
   * documents fail an early condition, which saves the remaining calls.
   *
   * <pre>{@code
   *              condition 1 ──yes──► condition 2 ──yes──► … ──yes──► kept
   * filter  ==>      no                   no
   *                dropped              dropped
   * }</pre>
   *
   * <p>Preserves meaning: a document is kept if and only if every condition holds. Does not fire on
   * a filter with one condition.
   */
  static final ImplementationRule CONDITIONS =
      ImplementationRule.notInPaper(
          "ImplementFilterWithConditions",
          operator -> operator instanceof SemanticFilter filter && filter.conditions().size() > 1,
          choices -> choices.perModel(ConditionByCondition::new));

  /**
   * A filter, or a map with few possible answers, as a classifier on embeddings with a model for
   * the uncertain cases. Parameters: model × embedder × target accuracy of the classifier. Not in
   * the paper (FrugalGPT, 2023). Sampling trains the classifier.
   *
   * <pre>{@code
   *                   embedder e, classifier ──confident──► its answer
   * map, filter  ==>      |
   *                     not confident ──► one call of model m
   * }</pre>
   *
   * <p>Preserves meaning: the classifier is trained on answers of this operator, and it decides
   * only above a confidence threshold at which its accuracy reached the target. Does not fire on a
   * map with an open set of answers, or on a filter with a condition in code, whose labels are not
   * only those of the condition that the model decides.
   */
  static final ImplementationRule LEARNED_CASCADE =
      ImplementationRule.notInPaper(
          "ImplementWithLearnedCascade",
          MapAndFilterRules::isLearnable,
          choices ->
              choices.perEmbedder((model, embedder) ->
                  TARGETS.stream()
                      .map(target -> new LearnedCascade(model, embedder, target, null))));

  /**
   * A filter, or a map with few possible answers, as a cheap model with a stronger model for the
   * uncertain cases. Parameters: model × proxy × target accuracy. Not in the paper (model cascades,
   * FrugalGPT 2023; confidence by log-probabilities, Gupta et al. 2024). Sampling trains the
   * classifier that calibrates the probability of the proxy's answer.
   *
   * <pre>{@code
   *                   proxy p ── answer, log-probability ──► classifier ── confident ──► its answer
   * map, filter  ==>                                             |
   *                                                        not confident ──► one call of model m
   * }</pre>
   *
   * <p>Preserves meaning: both models get the prompt of the operator, and the proxy decides only
   * above a confidence threshold at which its accuracy reached the target. Does not fire on a map
   * with an open set of answers, on a filter with a condition in code, or without a cheaper model
   * that returns log-probabilities.
   */
  static final ImplementationRule MODEL_CASCADE =
      ImplementationRule.notInPaper(
          "ImplementWithModelCascade",
          MapAndFilterRules::isLearnable,
          choices ->
              choices.some(model ->
                  choices.proxies(model).stream()
                      .flatMap(proxy ->
                          TARGETS.stream()
                              .map(target -> new ModelCascade(proxy, model, target, null)))));

  /**
   * A map or filter as one call of one model that sees solved examples. Parameters: model, number
   * of examples, and embedder if the examples are those most similar to the document.
   *
   * <pre>{@code
   * map, filter  ==>  k labelled examples, the whole input  →  model m
   * }</pre>
   *
   * <p>Preserves meaning: the model gets the whole task and the whole input. Does not fire for a
   * filter with a condition in code, because labels are those of the whole filter.
   */
  static final ImplementationRule FEW_SHOT =
      ImplementationRule.notInPaper(
          "ImplementWithFewShot",
          operator ->
              operator instanceof SemanticMap
                  || (operator instanceof SemanticFilter filter && filter.where() == null),
          MapAndFilterRules::fewShot);

  /**
   * A map or filter as one call of one model that reasons before it answers. Parameters: model, how
   * it reasons.
   *
   * <pre>{@code
   * map, filter  ==>  the whole input  →  model m: reasoning, answer
   * }</pre>
   *
   * <p>Preserves meaning: as {@link #MODEL_SELECTION}; the output does not contain the reasoning.
   */
  static final ImplementationRule REASONING =
      ImplementationRule.notInPaper(
          "ImplementWithReasoning",
          MapAndFilterRules::isMapOrFilter,
          choices -> choices.perReasoning(ModelSelection::new));

  private MapAndFilterRules() {}

  /** Whether a classifier can learn the answers of an operator. */
  private static boolean isLearnable(LogicalOperator operator) {
    return (operator instanceof SemanticFilter filter && filter.where() == null)
        || (operator instanceof SemanticMap && AnswerClasses.of(operator) != null);
  }

  private static List<PhysicalOperator> fewShot(Choices choices) {
    List<PhysicalOperator> all =
        new ArrayList<>(choices.perModel(EXAMPLES, (model, k) -> new FewShot(model, k, null)));
    all.addAll(
        choices.perEmbedder(
            (model, embedder) -> Stream.of(new FewShot(model, SIMILAR, embedder, null))));
    return all;
  }

  private static List<PhysicalOperator> mixtures(Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    // By the names without tiers, so that the proposals stand in one order at all tiers.
    for (List<String> proposers :
        subsets(
            choices.models().stream()
                .sorted(Comparator.comparing(ServiceTier::standard))
                .toList())) {
      for (double temperature : TEMPERATURES) {
        for (String aggregator : choices.models()) {
          all.add(new MixtureOfAgents(proposers, temperature, aggregator));
        }
      }
    }
    return all;
  }

  /** All subsets of one to three names, smaller subsets first, each in the order of the names. */
  private static List<List<String>> subsets(List<String> names) {
    List<List<String>> subsets = new ArrayList<>();
    names.forEach(name -> subsets.add(List.of(name)));
    int from = 0;
    for (int size = 2; size <= MAX_PROPOSERS; size++) {
      int to = subsets.size();
      for (List<String> smaller : List.copyOf(subsets.subList(from, to))) {
        for (String name : names.subList(names.indexOf(smaller.getLast()) + 1, names.size())) {
          List<String> larger = new ArrayList<>(smaller);
          larger.add(name);
          subsets.add(larger);
        }
      }
      from = to;
    }
    return subsets;
  }

  private static boolean isMapOrFilter(LogicalOperator operator) {
    return operator instanceof SemanticMap
        || (operator instanceof SemanticFilter filter && filter.isSemantic());
  }
}

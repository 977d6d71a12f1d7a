package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule.Choices;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Techniques with all combinations of their parameters; operators of several kinds share some. */
final class Techniques {

  private static final List<Integer> CHUNK_SIZES = List.of(1000, 2000, 4000);
  private static final List<Integer> CHUNKS = List.of(1, 2, 4);
  private static final int MOST_PROPOSERS = 3;
  private static final List<Double> TEMPERATURES = List.of(0.0, 0.4, 0.8);
  private static final List<Integer> ITEMS = List.of(1, 3, 5, 10, 15, 20, 25);
  private static final List<Integer> KEPT = List.of(4_000, 16_000);
  private static final List<Integer> SPLITS = List.of(4_000, 16_000);
  private static final List<Integer> ROUNDS = List.of(1, 2);
  private static final List<Integer> BATCHES = List.of(4, 16);
  private static final List<Double> TARGETS = List.of(0.9, 0.95);

  private Techniques() {}

  /** One per model. */
  static List<PhysicalOperator> modelSelection(Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    choices.models().forEach(model -> all.add(new PhysicalOperator.ModelSelection(model)));
    return all;
  }

  /** Chunk size in characters × number of chunks × model × embedder (paper, section 4.1). */
  static List<PhysicalOperator> reducedContext(Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String model : choices.models()) {
      for (String embedder : choices.embedders()) {
        for (int chunkSize : CHUNK_SIZES) {
          for (int k : CHUNKS) {
            all.add(new PhysicalOperator.ReducedContext(model, embedder, chunkSize, k));
          }
        }
      }
    }
    return all;
  }

  /**
   * Sets of one to three proposers × their temperature × aggregator (paper, section 4.1). Proposers
   * are in the order of their names.
   */
  static List<PhysicalOperator> mixtureOfAgents(Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (List<String> proposers : proposers(choices.models().stream().sorted().toList())) {
      for (double temperature : TEMPERATURES) {
        for (String aggregator : choices.models()) {
          all.add(new PhysicalOperator.MixtureOfAgents(proposers, temperature, aggregator));
        }
      }
    }
    return all;
  }

  /** Generator × critic × refiner (paper, section 4.1). */
  static List<PhysicalOperator> critiqueAndRefine(Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String generator : choices.models()) {
      for (String critic : choices.models()) {
        for (String refiner : choices.models()) {
          all.add(new PhysicalOperator.CritiqueAndRefine(generator, critic, refiner));
        }
      }
    }
    return all;
  }

  /** Model × characters. */
  static List<PhysicalOperator> headAndTail(Choices choices) {
    return perModel(choices, KEPT, PhysicalOperator.HeadAndTail::new);
  }

  /** Model × chunk size. */
  static List<PhysicalOperator> splitAndMerge(Choices choices) {
    return perModel(
        choices, SPLITS, (model, chunk) -> new PhysicalOperator.SplitAndMerge(model, chunk, model));
  }

  /** Compressor × model, two different ones. */
  static List<PhysicalOperator> compressedContext(Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String compressor : choices.models()) {
      for (String model : choices.models()) {
        if (!compressor.equals(model)) {
          all.add(new PhysicalOperator.CompressedContext(compressor, model));
        }
      }
    }
    return all;
  }

  /** Model, checked by itself × rounds. */
  static List<PhysicalOperator> gleaning(Choices choices) {
    return perModel(
        choices, ROUNDS, (model, rounds) -> new PhysicalOperator.Gleaning(model, model, rounds));
  }

  /** Model × size. */
  static List<PhysicalOperator> tupleBatch(Choices choices) {
    return perModel(choices, BATCHES, PhysicalOperator.TupleBatch::new);
  }

  /** One per model. */
  static List<PhysicalOperator> conditionByCondition(Choices choices) {
    return perModel(choices, PhysicalOperator.ConditionByCondition::new);
  }

  /** Model × embedder × target. */
  static List<PhysicalOperator> learnedCascade(Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String model : choices.models()) {
      for (String embedder : choices.embedders()) {
        for (double target : TARGETS) {
          all.add(new PhysicalOperator.LearnedCascade(model, embedder, target, null));
        }
      }
    }
    return all;
  }

  /**
   * Embedder × k.
   *
   * @param given the only k to use; null leaves it open
   */
  static List<PhysicalOperator> topK(@Nullable Integer given, Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String embedder : choices.embedders()) {
      for (int k : given == null ? ITEMS : List.of(given)) {
        all.add(new PhysicalOperator.TopKSearch(embedder, k));
      }
    }
    return all;
  }

  /** One per model. */
  static List<PhysicalOperator> nestedLoops(Choices choices) {
    return perModel(choices, PhysicalOperator.NestedLoopsJoin::new);
  }

  /** Model × embedder; thresholds are still to be learnt. */
  static List<PhysicalOperator> embeddingJoin(Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String model : choices.models()) {
      for (String embedder : choices.embedders()) {
        all.add(new PhysicalOperator.EmbeddingJoin(model, embedder, null, null));
      }
    }
    return all;
  }

  /** One per model. */
  static List<PhysicalOperator> semanticAggregation(Choices choices) {
    return perModel(choices, PhysicalOperator.SemanticAggregation::new);
  }

  private static List<PhysicalOperator> perModel(
      Choices choices, Function<String, PhysicalOperator> make) {
    return choices.models().stream().map(make).toList();
  }

  private static List<PhysicalOperator> perModel(
      Choices choices,
      List<Integer> parameters,
      BiFunction<String, Integer, PhysicalOperator> make) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String model : choices.models()) {
      for (int parameter : parameters) {
        all.add(make.apply(model, parameter));
      }
    }
    return all;
  }

  /** All sets of one to three of some names, the small ones first. */
  private static List<List<String>> proposers(List<String> names) {
    List<List<String>> sets = new ArrayList<>();
    names.forEach(name -> sets.add(List.of(name)));
    int from = 0;
    for (int size = 2; size <= MOST_PROPOSERS; size++) {
      int to = sets.size();
      for (List<String> smaller : List.copyOf(sets.subList(from, to))) {
        for (String name : names.subList(names.indexOf(smaller.getLast()) + 1, names.size())) {
          List<String> larger = new ArrayList<>(smaller);
          larger.add(name);
          sets.add(larger);
        }
      }
      from = to;
    }
    return sets;
  }
}

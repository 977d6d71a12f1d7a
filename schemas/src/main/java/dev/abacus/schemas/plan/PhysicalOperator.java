package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An implementation of a logical operator: a technique with its models and parameters (paper,
 * section 4.1). A value; the data plane holds the code that executes it. A technique with
 * parameters that are learnt from samples is a {@link Learnable}.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "technique")
@JsonSubTypes({
  @JsonSubTypes.Type(PhysicalOperator.ModelSelection.class),
  @JsonSubTypes.Type(PhysicalOperator.FewShot.class),
  @JsonSubTypes.Type(PhysicalOperator.ReducedContext.class),
  @JsonSubTypes.Type(PhysicalOperator.MixtureOfAgents.class),
  @JsonSubTypes.Type(PhysicalOperator.CritiqueAndRefine.class),
  @JsonSubTypes.Type(PhysicalOperator.HeadAndTail.class),
  @JsonSubTypes.Type(PhysicalOperator.SplitAndMerge.class),
  @JsonSubTypes.Type(PhysicalOperator.CompressedContext.class),
  @JsonSubTypes.Type(PhysicalOperator.Gleaning.class),
  @JsonSubTypes.Type(PhysicalOperator.TupleBatch.class),
  @JsonSubTypes.Type(PhysicalOperator.ConditionByCondition.class),
  @JsonSubTypes.Type(PhysicalOperator.LearnedCascade.class),
  @JsonSubTypes.Type(PhysicalOperator.ModelCascade.class),
  @JsonSubTypes.Type(PhysicalOperator.TopKSearch.class),
  @JsonSubTypes.Type(PhysicalOperator.NestedLoopsJoin.class),
  @JsonSubTypes.Type(PhysicalOperator.EmbeddingJoin.class),
  @JsonSubTypes.Type(PhysicalOperator.SemanticAggregation.class),
  @JsonSubTypes.Type(PhysicalOperator.Relational.class)
})
public sealed interface PhysicalOperator extends Comparable<PhysicalOperator> {

  /**
   * Identifies the implementation by technique and parameters, without learnt parameters. Stable
   * across versions: observations and priors refer to it. Its order breaks ties.
   */
  @JsonIgnore
  String id();

  /** Names of the chat models that it calls, in order of the calls; empty if it calls none. */
  @JsonIgnore
  default List<String> chatModels() {
    return List.of();
  }

  /**
   * Whether {@code other} is this implementation. An untrained {@link Learnable} matches each of
   * its trained forms.
   */
  default boolean matches(PhysicalOperator other) {
    return equals(other);
  }

  @Override
  default int compareTo(PhysicalOperator other) {
    return id().compareTo(other.id());
  }

  /**
   * A technique whose parameters are learnt from the evidence of samples ({@link
   * dev.abacus.schemas.observation.Evidence}) and travel inside the plan, so that execution is
   * deterministic. Samples are drawn with the untrained form.
   *
   * <p>The hierarchy is sealed: code that collects evidence, learns parameters or executes them
   * switches over it, and the compiler reports a case that is missing.
   */
  sealed interface Learnable extends PhysicalOperator {

    /** Prefix of {@link #features} that are the answer of a chat model. */
    String ANSWER_OF = "answer:";

    /**
     * Identifies the features that it decides by: the name of an embedding model of the catalogue,
     * or {@code answer:MODEL} for the answer of a chat model and its probability. Implementations
     * of an operator with the same features learn from the same evidence.
     */
    String features();

    /** Names of the chat models that compute the features; empty if an embedding model does. */
    default List<String> featureModels() {
      return List.of();
    }

    /** Whether it holds learnt parameters. Without them a model answers every input. */
    @JsonIgnore
    boolean isTrained();

    @Override
    default boolean matches(PhysicalOperator other) {
      return equals(other) || (!isTrained() && id().equals(other.id()));
    }
  }

  /** A technique in which a classifier answers if it is confident and a model answers the rest. */
  sealed interface Cascade extends Learnable {

    /** Name of the model that answers the inputs about which the classifier is not confident. */
    String model();

    /** Precision that the classifier's own answers must reach, in (0, 1). */
    double target();

    /** The classifier; null until it is trained, and until then the model answers every input. */
    @Nullable TrainedClassifier classifier();

    /** The same cascade with a trained classifier. */
    Cascade with(TrainedClassifier trained);

    @Override
    default boolean isTrained() {
      return classifier() != null;
    }
  }

  /** A technique that calls at most one chat model. */
  sealed interface SingleModel extends PhysicalOperator {

    /** Name of the model in the catalogue. */
    String model();

    @Override
    default List<String> chatModels() {
      return List.of(model());
    }
  }

  /**
   * One call of one model at temperature 0 over the whole input.
   *
   * @param reasoning how the model reasons before it answers; null as its card says
   */
  @JsonTypeName("model-selection")
  record ModelSelection(
      String model, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Reasoning reasoning)
      implements SingleModel {

    /** A call that reasons as the card of the model says. */
    public ModelSelection(String model) {
      this(model, null);
    }

    @Override
    public String id() {
      return "model-selection(%s%s)".formatted(model, Reasoning.suffix(reasoning));
    }
  }

  /**
   * One call of one model that sees solved examples before the document.
   *
   * @param k number of examples
   * @param shown the examples; null until they are chosen. In a sample, all but the example that is
   *     measured
   */
  @JsonTypeName("few-shot")
  record FewShot(
      String model,
      int k,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<SolvedExample> shown)
      implements SingleModel {
    public FewShot {
      requireAtLeastOne("k", k);
      shown = shown == null ? null : List.copyOf(shown);
    }

    /** The same implementation with these examples. */
    public FewShot with(List<SolvedExample> examples) {
      return new FewShot(model, k, examples);
    }

    @Override
    public boolean matches(PhysicalOperator other) {
      return equals(other) || (shown == null && id().equals(other.id()));
    }

    @Override
    public String id() {
      return "few-shot(%s,k=%d)".formatted(model, k);
    }
  }

  /**
   * One call of one model over the {@code k} chunks of the input that are most similar to the
   * instruction.
   *
   * @param embedder name of an embedding model of the catalogue
   * @param chunkTokens maximum tokens of a chunk, as the model counts them
   * @param k number of chunks
   */
  @JsonTypeName("reduced-context")
  record ReducedContext(String model, String embedder, int chunkTokens, int k)
      implements SingleModel {

    public ReducedContext {
      requireAtLeastOne("chunkTokens", chunkTokens);
      requireAtLeastOne("k", k);
    }

    /** Reads the JSON form, also with {@code chunkSize} in characters. */
    @JsonCreator
    static ReducedContext read(
        @JsonProperty("model") String model,
        @JsonProperty("embedder") String embedder,
        @JsonProperty("chunkTokens") @Nullable Integer chunkTokens,
        @JsonProperty("chunkSize") @Nullable Integer chunkSize,
        @JsonProperty("k") int k) {
      return new ReducedContext(model, embedder, tokensOf(chunkTokens, chunkSize), k);
    }

    @Override
    public String id() {
      return "reduced-context(%s,%s,tokens=%d,k=%d)".formatted(model, embedder, chunkTokens, k);
    }
  }

  /**
   * Several models propose answers in parallel; the aggregator reads the document and the proposals
   * and gives the answer (paper, section 4.1).
   *
   * @param proposers one to three models, sorted by name
   * @param temperature temperature of the proposers, in [0, 2]
   */
  @JsonTypeName("mixture-of-agents")
  record MixtureOfAgents(List<String> proposers, double temperature, String aggregator)
      implements PhysicalOperator {
    public MixtureOfAgents {
      proposers = List.copyOf(proposers);
      if (proposers.isEmpty()) {
        throw new IllegalArgumentException("a mixture of agents needs a proposer");
      }
      requireWithin("temperature", temperature, 0, 2);
    }

    @Override
    public String id() {
      return "mixture-of-agents(%s,t=%s,%s)"
          .formatted(String.join("+", proposers), temperature, aggregator);
    }

    @Override
    public List<String> chatModels() {
      List<String> models = new ArrayList<>(proposers);
      models.add(aggregator);
      return models;
    }
  }

  /** One model answers, one criticizes the answer, one corrects it (paper, section 4.1). */
  @JsonTypeName("critique-and-refine")
  record CritiqueAndRefine(String generator, String critic, String refiner)
      implements PhysicalOperator {
    @Override
    public String id() {
      return "critique-and-refine(%s,%s,%s)".formatted(generator, critic, refiner);
    }

    @Override
    public List<String> chatModels() {
      return List.of(generator, critic, refiner);
    }
  }

  /**
   * One call of one model over the beginning and the end of each long text.
   *
   * @param tokens maximum tokens kept of each text, as the model counts them: half from its
   *     beginning, half from its end
   */
  @JsonTypeName("head-and-tail")
  record HeadAndTail(String model, int tokens) implements SingleModel {
    public HeadAndTail {
      requireAtLeastOne("tokens", tokens);
    }

    /** Reads the JSON form, also with {@code characters}. */
    @JsonCreator
    static HeadAndTail read(
        @JsonProperty("model") String model,
        @JsonProperty("tokens") @Nullable Integer tokens,
        @JsonProperty("characters") @Nullable Integer characters) {
      return new HeadAndTail(model, tokensOf(tokens, characters));
    }

    @Override
    public String id() {
      return "head-and-tail(%s,tokens=%d)".formatted(model, tokens);
    }
  }

  /**
   * One call for each chunk of a long document, and one call that merges the answers. A document of
   * one chunk takes one call.
   *
   * @param chunkTokens maximum tokens of a chunk, as the model counts them
   */
  @JsonTypeName("split-and-merge")
  record SplitAndMerge(String model, int chunkTokens, String merger) implements PhysicalOperator {
    public SplitAndMerge {
      requireAtLeastOne("chunkTokens", chunkTokens);
    }

    /** Reads the JSON form, also with {@code chunkSize} in characters. */
    @JsonCreator
    static SplitAndMerge read(
        @JsonProperty("model") String model,
        @JsonProperty("chunkTokens") @Nullable Integer chunkTokens,
        @JsonProperty("chunkSize") @Nullable Integer chunkSize,
        @JsonProperty("merger") String merger) {
      return new SplitAndMerge(model, tokensOf(chunkTokens, chunkSize), merger);
    }

    @Override
    public String id() {
      return "split-and-merge(%s,tokens=%d,%s)".formatted(model, chunkTokens, merger);
    }

    @Override
    public List<String> chatModels() {
      return List.of(model, merger);
    }
  }

  /**
   * The compressor extracts what is relevant to the question; the model answers from that alone.
   */
  @JsonTypeName("compressed-context")
  record CompressedContext(String compressor, String model) implements PhysicalOperator {
    @Override
    public String id() {
      return "compressed-context(%s,%s)".formatted(compressor, model);
    }

    @Override
    public List<String> chatModels() {
      return List.of(compressor, model);
    }
  }

  /**
   * One model answers, the checker names what is missing, and the model is asked again for it,
   * until nothing is missing or the rounds are used up.
   *
   * @param rounds maximum number of repetitions, at least 1
   */
  @JsonTypeName("gleaning")
  record Gleaning(String model, String checker, int rounds) implements PhysicalOperator {
    public Gleaning {
      requireAtLeastOne("rounds", rounds);
    }

    @Override
    public String id() {
      return "gleaning(%s,%s,rounds=%d)".formatted(model, checker, rounds);
    }

    @Override
    public List<String> chatModels() {
      return List.of(model, checker);
    }
  }

  /**
   * Several documents in one call. A document whose answer is missing or invalid gets a call of its
   * own.
   *
   * @param size maximum number of documents per call, at least 2
   */
  @JsonTypeName("tuple-batch")
  record TupleBatch(String model, int size) implements SingleModel {
    public TupleBatch {
      if (size < 2) {
        throw new IllegalArgumentException("a batch holds at least 2 documents, not " + size);
      }
    }

    @Override
    public String id() {
      return "tuple-batch(%s,%d)".formatted(model, size);
    }
  }

  /** One call for each condition of a conjunctive filter, in order, until one does not hold. */
  @JsonTypeName("condition-by-condition")
  record ConditionByCondition(String model) implements SingleModel {
    @Override
    public String id() {
      return "condition-by-condition(" + model + ")";
    }
  }

  /**
   * A classifier on embeddings answers where it is confident; a model answers the rest.
   *
   * @param target precision that the classifier's own answers must reach, in (0, 1)
   * @param classifier null until it is trained; until then the model answers every input
   */
  @JsonTypeName("learned-cascade")
  record LearnedCascade(
      String model,
      String embedder,
      double target,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TrainedClassifier classifier)
      implements SingleModel, Cascade {
    public LearnedCascade {
      requireWithin("target", target, 0, 1);
    }

    @Override
    public LearnedCascade with(TrainedClassifier trained) {
      return new LearnedCascade(model, embedder, target, trained);
    }

    @Override
    public String features() {
      return embedder;
    }

    @Override
    public String id() {
      return "learned-cascade(%s,%s,target=%s)".formatted(model, embedder, target);
    }
  }

  /**
   * A cheaper model answers every input; a classifier on its answer and on the log-probability of
   * that answer decides whether it counts. Another model answers the rest.
   *
   * @param proxy name of the cheaper model; it returns log-probabilities
   * @param target precision that the accepted answers must reach, in (0, 1)
   * @param classifier null until it is trained; until then the model answers every input
   */
  @JsonTypeName("model-cascade")
  record ModelCascade(
      String proxy,
      String model,
      double target,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TrainedClassifier classifier)
      implements Cascade {
    public ModelCascade {
      requireWithin("target", target, 0, 1);
    }

    @Override
    public ModelCascade with(TrainedClassifier trained) {
      return new ModelCascade(proxy, model, target, trained);
    }

    @Override
    public String features() {
      return ANSWER_OF + proxy;
    }

    @Override
    public List<String> featureModels() {
      return List.of(proxy);
    }

    @Override
    public String id() {
      return "model-cascade(%s,%s,target=%s)".formatted(proxy, model, target);
    }

    @Override
    public List<String> chatModels() {
      return List.of(proxy, model);
    }
  }

  /** Returns the k most similar items of a reference (paper, section 4.1). */
  @JsonTypeName("top-k")
  record TopKSearch(String embedder, int k) implements PhysicalOperator {
    public TopKSearch {
      requireAtLeastOne("k", k);
    }

    @Override
    public String id() {
      return "top-k(%s,k=%d)".formatted(embedder, k);
    }
  }

  /**
   * One model call for every pair (paper, section 4.1).
   *
   * @param reasoning how the model reasons before it answers; null as its card says
   */
  @JsonTypeName("nested-loops-join")
  record NestedLoopsJoin(
      String model, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Reasoning reasoning)
      implements SingleModel {

    /** A join whose calls reason as the card of the model says. */
    public NestedLoopsJoin(String model) {
      this(model, null);
    }

    @Override
    public String id() {
      return "nested-loops-join(%s%s)".formatted(model, Reasoning.suffix(reasoning));
    }
  }

  /**
   * Rejects pairs whose similarity is below {@code low}, accepts those above {@code high}, and asks
   * a model about the pairs between (paper, section 4.1).
   *
   * @param low cosine similarity; null until it is learnt: no pair is rejected without a call
   * @param high cosine similarity; null until it is learnt: no pair is accepted without a call
   */
  @JsonTypeName("embedding-join")
  record EmbeddingJoin(
      String model,
      String embedder,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double low,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double high)
      implements SingleModel, Learnable {
    public EmbeddingJoin {
      if (low != null && high != null && low > high) {
        throw new IllegalArgumentException("low " + low + " is above high " + high);
      }
    }

    /** The same join with these thresholds. */
    public EmbeddingJoin with(@Nullable Double low, @Nullable Double high) {
      return new EmbeddingJoin(model, embedder, low, high);
    }

    @Override
    public String features() {
      return embedder;
    }

    @Override
    public boolean isTrained() {
      return low != null || high != null;
    }

    @Override
    public String id() {
      return "embedding-join(%s,%s)".formatted(model, embedder);
    }
  }

  /**
   * A model reads a whole group. It reads a group that exceeds its context in parts and merges
   * their answers.
   */
  @JsonTypeName("semantic-aggregation")
  record SemanticAggregation(String model) implements SingleModel {
    @Override
    public String id() {
      return "semantic-aggregation(" + model + ")";
    }
  }

  /** The only implementation of an operator that needs no model: exact, cost 0, latency 0. */
  @JsonTypeName("relational")
  record Relational() implements PhysicalOperator {
    @Override
    public String id() {
      return "relational";
    }
  }

  /** The size of chunks in tokens; of a record that states it in characters, 0.32 of these. */
  private static int tokensOf(@Nullable Integer tokens, @Nullable Integer characters) {
    if (tokens != null) {
      return tokens;
    }
    return characters == null || characters < 1 ? 0 : (int) Math.ceil(characters * 0.32);
  }

  private static void requireAtLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " " + value + " must be at least 1");
    }
  }

  private static void requireWithin(String name, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(
          "%s %s is not in [%s, %s]".formatted(name, value, least, most));
    }
  }
}

package dev.abacus.topology.operator.prompt;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.ParallelCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One execution of a technique on a document. It calls models and embedders and adds up what the
 * calls take. A call without a usable answer ends the execution, so that a technique reads as the
 * sequence of its calls:
 *
 * <pre>{@code
 * A draft = execution.ask(generator, prompt);
 * JsonNode critique = execution.ask(critic, review(draft));
 * }</pre>
 *
 * <p>For one thread; {@link #attemptAll} makes concurrent calls.
 */
public final class Execution {

  private final LogicalOperator operator;
  private final Document document;
  private final ModelClient client;
  private final Embedders embedders;
  private ExecutionStats stats = ExecutionStats.NONE;

  /**
   * An execution that has made no call yet.
   *
   * @param client the model client of the document, receipts included
   */
  public Execution(
      LogicalOperator operator, Document document, ModelClient client, Embedders embedders) {
    this.operator = operator;
    this.document = document;
    this.client = client;
    this.embedders = embedders;
  }

  /** What a technique does with a document. */
  @FunctionalInterface
  public interface Technique {

    /**
     * Carries out the technique.
     *
     * @throws OperatorFailedException if it cannot be completed
     */
    OperatorOutcome run(Execution execution) throws InterruptedException, OperatorFailedException;
  }

  /** Runs a technique; a failure is an outcome. */
  public OperatorOutcome run(Technique technique) throws InterruptedException {
    try {
      return technique.run(this);
    } catch (OperatorFailedException e) {
      return new OperatorOutcome.Failed(e.failure(), stats);
    }
  }

  public LogicalOperator operator() {
    return operator;
  }

  /** The whole document; a technique adds the fields of the operator to it. */
  public Document document() {
    return document;
  }

  public ModelClient client() {
    return client;
  }

  /** What all calls took so far. */
  public ExecutionStats stats() {
    return stats;
  }

  /** Adds what a call took that was not made here. */
  public void add(ExecutionStats ofCall) {
    stats = stats.plus(ofCall);
  }

  /**
   * Calls a model.
   *
   * @throws OperatorFailedException without a valid answer
   */
  public <A> A ask(String model, Prompt<A> prompt)
      throws InterruptedException, OperatorFailedException {
    return valid(model, attempt(model, prompt));
  }

  /** Calls a model; the technique decides what follows from a failure. */
  public <A> StructuredAnswer<A> attempt(String model, Prompt<A> prompt)
      throws InterruptedException {
    StructuredAnswer<A> answer = StructuredCall.ask(client, model, prompt);
    add(answer.stats());
    return answer;
  }

  /**
   * Calls a model once for each input.
   *
   * @param concurrency the maximum number of concurrent calls
   * @return the answers in the order of the inputs
   * @throws OperatorFailedException if an input has no valid answer
   */
  public <T, A> List<A> askAll(
      String model, List<T> inputs, int concurrency, Function<T, Prompt<A>> prompts)
      throws InterruptedException, OperatorFailedException {
    List<A> answers = new ArrayList<>();
    for (StructuredAnswer<A> answer :
        attemptAll(
            inputs,
            concurrency,
            input -> StructuredCall.ask(client, model, prompts.apply(input)))) {
      answers.add(valid(model, answer));
    }
    return answers;
  }

  /** Makes a call for each input, at most {@code concurrency} at once. */
  public <T, A> List<StructuredAnswer<A>> attemptAll(
      List<T> inputs, int concurrency, ParallelCalls.Call<T, StructuredAnswer<A>> call)
      throws InterruptedException {
    List<StructuredAnswer<A>> answers = ParallelCalls.run(inputs, concurrency, call);
    add(
        ExecutionStats.inParallel(
            answers.stream().map(StructuredAnswer::stats).toList(), concurrency));
    return answers;
  }

  /**
   * The answer of a model.
   *
   * @throws OperatorFailedException if it is not valid
   */
  public static <A> A valid(String model, StructuredAnswer<A> answer)
      throws OperatorFailedException {
    return switch (answer) {
      case StructuredAnswer.Valid<A> valid -> valid.answer();
      case StructuredAnswer.Failed<A> failed ->
          throw OperatorFailedException.ofModel(model, failed.failure());
    };
  }

  /**
   * The embedder of this name.
   *
   * @throws OperatorFailedException if the instance has none
   */
  public Embedder embedder(String name) throws OperatorFailedException {
    Embedder embedder = embedders.find(name);
    if (embedder == null) {
      throw OperatorFailedException.unusablePlan("there is no embedder '" + name + "'");
    }
    return embedder;
  }

  /**
   * Embeds texts.
   *
   * @throws OperatorFailedException if the embedder is unknown or fails
   */
  public List<Embedding> embed(String embedder, List<String> texts)
      throws InterruptedException, OperatorFailedException {
    return embeddings(embedder, embedder(embedder).embed(texts));
  }

  /** The embeddings of an answer, whose cost it adds. */
  public List<Embedding> embeddings(String embedder, EmbeddingAnswer answer)
      throws OperatorFailedException {
    add(answer.stats().withCalls(0));
    return switch (answer) {
      case EmbeddingAnswer.Success success -> success.embeddings();
      case EmbeddingAnswer.Failed failed ->
          throw OperatorFailedException.ofModel(embedder, failed.failure());
    };
  }
}

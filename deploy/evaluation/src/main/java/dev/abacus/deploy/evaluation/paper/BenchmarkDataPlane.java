package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.simulator.InProcessModels;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.topology.execution.Checkpoint;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.execution.PlanOutcome;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.reference.ItemEmbedder;
import dev.abacus.topology.reference.ReferenceCollection;
import dev.abacus.topology.reference.index.ExactIndex;
import dev.abacus.topology.sample.SampleRunner;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The data plane of a benchmark without Kafka: the operators of the product over simulated models.
 * It caches results, because all runs are reproducible. Thread-safe.
 */
final class BenchmarkDataPlane {

  /** The paper's embedding model. */
  static final String EMBEDDER = "text-embedding-3-small";

  private record SampleKey(String task, PhysicalOperator physical) {}

  private record RunKey(List<PlanStep> steps, String document) {}

  private final ModelClient client;
  private final SampleRunner samples;
  private final PlanExecutor plans;
  private final Scorer scorer;
  private final Map<SampleKey, Observation> sampled = new ConcurrentHashMap<>();
  private final Map<RunKey, PlanOutcome> run = new ConcurrentHashMap<>();

  private BenchmarkDataPlane(
      ModelClient client, OperatorRuntime operators, ModelCatalogue catalogue) {
    this.client = client;
    this.scorer = new Scorer(new Judge(catalogue));
    this.samples =
        new SampleRunner(operators, scorer, TokenCounter.of(catalogue), InstantSource.system());
    this.plans = new PlanExecutor(operators);
  }

  /**
   * Creates the data plane of a program and embeds its reference items.
   *
   * @param items by name of the reference
   * @param answers answers file of the simulated models, which is read once
   * @throws InterruptedException if the thread is interrupted
   */
  static BenchmarkDataPlane of(
      Program program, Map<String, List<Document>> items, Path answers, ModelCatalogue catalogue)
      throws InterruptedException {
    InProcessModels models = new InProcessModels(List.of(answers), 0);
    SimulatedEmbedder embedder = new SimulatedEmbedder(models, catalogue.get(EMBEDDER));
    Map<String, ReferenceCollection> collections = new HashMap<>();
    for (Reference reference : program.references()) {
      collections.put(
          reference.name(),
          collection(reference, items.getOrDefault(reference.name(), List.of()), embedder));
    }
    return new BenchmarkDataPlane(
        new SimulatedModelClient(models, catalogue),
        new OperatorRuntime(Embedders.of(embedder), TokenCounter.of(catalogue)::tokenizer)
            .forProgram(collections::get),
        catalogue);
  }

  private static ReferenceCollection collection(
      Reference reference, List<Document> items, SimulatedEmbedder embedder)
      throws InterruptedException {
    ReferenceCollection collection =
        new ReferenceCollection(reference.name(), reference.key(), ExactIndex::new);
    ItemEmbedder embedding = new ItemEmbedder(reference, collection, List.of(embedder));
    for (Document item : items) {
      String id = item.get(reference.key()).asText();
      collection.put(id, embedding.embed(id, item));
    }
    collection.flush();
    return collection;
  }

  Scorer scorer() {
    return scorer;
  }

  /** Executes a sample task. */
  Observation sample(SampleTask task) throws InterruptedException {
    SampleKey key = new SampleKey(task.id(), task.physical());
    Observation known = sampled.get(key);
    if (known == null) {
      known = samples.run(task, client);
      sampled.put(key, known);
    }
    return known;
  }

  /** Executes a plan on a document. */
  PlanOutcome run(List<PlanStep> steps, ValidationExample document) throws InterruptedException {
    RunKey key = new RunKey(List.copyOf(steps), document.id());
    PlanOutcome known = run.get(key);
    if (known == null) {
      known = plans.run(steps, Checkpoint.start(document.document()), client, _ -> {});
      run.put(key, known);
    }
    return known;
  }
}

package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.simulator.server.InProcessModels;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.topology.execution.Checkpoint;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.execution.PlanOutcome;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.reference.ItemEmbedder;
import dev.abacus.topology.reference.ReferenceCollection;
import dev.abacus.topology.reference.index.ExactIndex;
import dev.abacus.topology.sample.SampleRunner;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The data plane of a benchmark without Kafka: the product's operators over simulated models. What
 * was run once is remembered, since all of it is reproducible. Safe for use by several threads.
 */
final class World {

  /** The paper's. */
  static final String EMBEDDER = "text-embedding-3-small";

  private record SampleKey(String task, PhysicalOperator physical) {}

  private record RunKey(List<PlanStep> steps, String document) {}

  private final Benchmark benchmark;
  private final ModelClient client;
  private final SampleRunner samples;
  private final PlanExecutor plans;
  private final Scorer scorer;
  private final Map<SampleKey, Observation> sampled = new ConcurrentHashMap<>();
  private final Map<RunKey, PlanOutcome> run = new ConcurrentHashMap<>();

  private World(
      Benchmark benchmark,
      ModelClient client,
      OperatorRuntime operators,
      Scorer scorer,
      ModelCatalogue catalogue) {
    this.benchmark = benchmark;
    this.client = client;
    this.scorer = scorer;
    this.samples = new SampleRunner(operators, scorer, catalogue);
    this.plans = new PlanExecutor(operators);
  }

  /**
   * Makes it ready; the items of references are embedded.
   *
   * @param answers the file that the simulated models know the truth from
   * @throws InterruptedException if the thread is interrupted
   */
  static World of(Benchmark benchmark, Path answers, ModelCatalogue catalogue)
      throws InterruptedException {
    InProcessModels models = new InProcessModels(List.of(answers), 0);
    SimulatedEmbedder embedder = new SimulatedEmbedder(models, catalogue.get(EMBEDDER));
    Map<String, ReferenceCollection> collections = new HashMap<>();
    for (Reference reference : benchmark.program().references()) {
      collections.put(reference.name(), collection(reference, benchmark, embedder));
    }
    return new World(
        benchmark,
        new SimulatedModelClient(models, catalogue),
        new OperatorRuntime(Embedders.of(embedder)).forProgram(collections::get),
        new Scorer(new Judge(catalogue)),
        catalogue);
  }

  private static ReferenceCollection collection(
      Reference reference, Benchmark benchmark, SimulatedEmbedder embedder)
      throws InterruptedException {
    ReferenceCollection collection =
        new ReferenceCollection(reference.name(), reference.key(), ExactIndex::new);
    ItemEmbedder items = new ItemEmbedder(reference, collection, List.of(embedder));
    for (Document item : benchmark.references().getOrDefault(reference.name(), List.of())) {
      String id = item.get(reference.key()).asText();
      collection.put(id, items.embed(id, item));
    }
    collection.flush();
    return collection;
  }

  Benchmark benchmark() {
    return benchmark;
  }

  Scorer scorer() {
    return scorer;
  }

  /** Carries out a sample task. */
  Observation sample(SampleTask task) throws InterruptedException {
    SampleKey key = new SampleKey(task.id(), task.physical());
    Observation known = sampled.get(key);
    if (known == null) {
      known = samples.run(task, client);
      sampled.put(key, known);
    }
    return known;
  }

  /** Carries a document through a plan. */
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

package dev.abacus.deploy.evaluation.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.evaluation.dataset.Dataset;
import dev.abacus.deploy.evaluation.dataset.PublicDataset;
import dev.abacus.deploy.evaluation.dataset.SharedData;
import dev.abacus.deploy.local.DataFolder;
import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.loop.OptimizerLoop;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.loop.review.ReviewChooser;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.Selection;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.Settings;
import dev.abacus.schemas.program.io.ProgramParser;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What labels on request bring, beside as many labels of random documents: the regret of the chosen
 * model, its true quality less than that of the best, over real documents and SIMULATED models.
 * Runs with {@code -Dabacus.experiment.labels=SEEDS}.
 */
class LabelsOnRequestExperiment {

  private static final int DOCUMENTS = 80;
  private static final int BUDGET = 240;
  private static final List<Integer> LABELS = List.of(10, 20, 40);
  private static final List<PhysicalOperator> MODELS =
      Stream.of("gpt-4o-mini", "gpt-4.1-nano", "gpt-4.1-mini", "gpt-4o", "gpt-4.1", "o4-mini")
          .map(model -> (PhysicalOperator) new ModelSelection(model))
          .toList();

  /** A search over copies of documents, which can be told labels. */
  private static final class Run {
    private final World world;
    private final OptimizerLoop loop;
    private final Map<Long, PhysicalPlan> plans = new HashMap<>();
    private @Nullable PhysicalPlan active;

    Run(World world, long seed, List<ValidationExample> documents) throws InterruptedException {
      this.world = world;
      LoopSettings settings =
          LoopSettings.builder(
                  seed,
                  priors -> PolicyName.PAPER.create(seed, 1, priors),
                  _ -> Map.of(world.operator().id(), MODELS),
                  ModelCatalogue.builtIn())
              .confirmation(Confirmation.DEFAULT)
              .build();
      this.loop = new OptimizerLoop(world.program().name(), settings);
      tell(new LoopEvent.ControlSet(new ControlRecord.ProgramSet(world.program())));
      documents.forEach(document -> example(document, Map.of(), Selection.NONE));
      finish();
    }

    private void tell(LoopEvent event) {
      assertThat(loop.apply(event)).isNull();
    }

    void example(ValidationExample document, Map<String, JsonNode> labels, Selection selected) {
      tell(
          new LoopEvent.ExampleSet(
              new ValidationExample(
                  copy(document), document.source(), document.document(), labels, selected)));
    }

    void finish() throws InterruptedException {
      for (List<LoopEvent.Caused> actions = loop.decide();
          !actions.isEmpty();
          actions = loop.decide()) {
        List<SampleTask> tasks = new ArrayList<>();
        for (LoopEvent.Caused action : actions) {
          tell(action);
          if (action instanceof DrawnSample(SampleTask task, var _, var _)) {
            tasks.add(task);
          } else if (action
              instanceof LoopEvent.ControlSet(ControlRecord.PlanPublished published)) {
            plans.put(published.plan().epoch(), published.plan());
          } else if (action instanceof LoopEvent.ControlSet(ControlRecord.Activated activated)) {
            active = plans.get(activated.epoch());
          }
        }
        for (SampleTask task : tasks) {
          tell(new LoopEvent.Observed(world.plane().sample(task)));
        }
      }
    }

    void again() throws InterruptedException {
      tell(new LoopEvent.ControlSet(new ControlRecord.Reoptimize(world.program().name(), "again")));
      finish();
    }

    double regret() {
      PhysicalPlan chosen = Objects.requireNonNull(active);
      Double quality = world.truth().get(chosen.steps().getFirst().physical().id());
      return Collections.max(world.truth().values()) - Objects.requireNonNull(quality);
    }
  }

  /**
   * A program of one operator with the true quality of each implementation.
   *
   * @param documents labelled
   */
  private record World(
      Program program,
      LogicalOperator operator,
      BenchmarkDataPlane plane,
      List<ValidationExample> documents,
      Map<String, Double> truth) {}

  private static String copy(ValidationExample document) {
    return "stream:documents-0@" + document.id();
  }

  private static World world(Dataset data, String operatorId, Path folder) throws Exception {
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    data.writeTo(folder);
    Program whole = new ProgramParser(catalogue).parse(data.program());
    LogicalOperator operator =
        Objects.requireNonNull(whole.operator(operatorId))
            .withInputs(List.of(whole.sources().getFirst().name()));
    Program program =
        new Program(
            "labels",
            whole.sources(),
            List.of(),
            List.of(operator),
            whole.results(),
            Settings.defaults("labels")
                .withBudget(new Settings.Budget(new SampleBudget.Invocations(BUDGET), null, null))
                .withLearning(Learning.withoutAnswers(0, 1)));
    List<ValidationExample> documents = data.examples();
    BenchmarkDataPlane plane =
        BenchmarkDataPlane.of(program, Map.of(), folder.resolve("answers.jsonl"), catalogue);
    Map<String, Double> truth = new TreeMap<>();
    for (PhysicalOperator model : MODELS) {
      truth.put(model.id(), truth(program, operator, model, plane, documents));
    }
    return new World(program, operator, plane, documents, truth);
  }

  /** Balanced accuracy of a filter, the mean score of a map. */
  private static double truth(
      Program program,
      LogicalOperator operator,
      PhysicalOperator model,
      BenchmarkDataPlane plane,
      List<ValidationExample> documents)
      throws InterruptedException {
    Map<Boolean, double[]> right = new HashMap<>();
    for (ValidationExample document : documents) {
      JsonNode label = Objects.requireNonNull(document.label(operator.id()));
      Observation seen =
          plane.sample(
              SampleTask.builder("truth " + document.id(), program.name())
                  .operator(operator)
                  .physical(model)
                  .exampleId(document.id())
                  .input(document.document())
                  .label(label)
                  .judge(program.judge())
                  .build());
      boolean stratum = operator instanceof SemanticFilter && label.booleanValue();
      double[] sum = right.computeIfAbsent(stratum, _ -> new double[2]);
      Double score = seen.quality();
      sum[0] += seen.outcome() == Outcome.FAILED || score == null ? 0 : score;
      sum[1]++;
    }
    return right.values().stream().mapToDouble(sum -> sum[0] / sum[1]).average().orElseThrow();
  }

  private static double[] regrets(World world, long seed) {
    try {
      List<ValidationExample> shuffled = new ArrayList<>(world.documents());
      Collections.shuffle(shuffled, new Random(seed));
      List<ValidationExample> documents = shuffled.subList(0, DOCUMENTS);
      List<Double> regrets = new ArrayList<>();
      regrets.add(new Run(world, seed, documents).regret());
      for (int labels : LABELS) {
        Run byValue = new Run(world, seed, documents);
        Map<String, Selection> asked = new HashMap<>();
        for (ReviewChooser.Asked each :
            Objects.requireNonNull(byValue.loop.reviews())
                .choose(labels, 0, _ -> false, Instant.EPOCH, Instant.MAX)) {
          asked.put(each.exampleId(), each.request().random() ? Selection.NONE : Selection.LABEL);
        }
        regrets.add(labelled(byValue, documents, asked::get));
        Run atRandom = new Run(world, seed, documents);
        Set<String> drawn = new HashSet<>();
        documents.subList(0, labels).forEach(document -> drawn.add(copy(document)));
        regrets.add(
            labelled(atRandom, documents, id -> drawn.contains(id) ? Selection.NONE : null));
      }
      return regrets.stream().mapToDouble(Double::doubleValue).toArray();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The regret of a new round with labels of some documents. */
  private static double labelled(
      Run run, List<ValidationExample> documents, Function<String, @Nullable Selection> selection)
      throws InterruptedException {
    for (ValidationExample document : documents) {
      @Nullable Selection selected = selection.apply(copy(document));
      if (selected != null) {
        run.example(document, document.labels(), selected);
      }
    }
    run.again();
    return run.regret();
  }

  private static void measure(String name, Dataset data, String operator, int seeds)
      throws Exception {
    try (DataFolder folder = DataFolder.of(null, "labels")) {
      World world = world(data, operator, folder.path());
      System.out.printf(Locale.ROOT, "%s, true quality %s%n", name, world.truth());
      List<double[]> all =
          LongStream.range(0, seeds).parallel().mapToObj(seed -> regrets(world, seed)).toList();
      StringBuilder line = new StringBuilder("%s, %d seeds".formatted(name, seeds));
      for (int i = 0; i < 1 + 2 * LABELS.size(); i++) {
        int column = i;
        double mean = all.stream().mapToDouble(each -> each[column]).average().orElseThrow();
        double variance =
            all.stream().mapToDouble(each -> Math.pow(each[column] - mean, 2)).sum() / (seeds - 1);
        line.append(
            "; %s %.4f ± %.4f"
                .formatted(
                    i == 0
                        ? "no label"
                        : LABELS.get((i - 1) / 2) + (i % 2 == 1 ? " by value" : " at random"),
                    mean,
                    Math.sqrt(variance / seeds)));
      }
      System.out.println(line);
      assertThat(all).allSatisfy(each -> assertThat(each).hasSize(1 + 2 * LABELS.size()));
    }
  }

  private static int seeds(String data) {
    int seeds = Integer.getInteger("abacus.experiment.labels", 0);
    assumeThat(seeds).as("needs -Dabacus.experiment.labels=SEEDS").isGreaterThan(1);
    assumeThat(SharedData.folder(data)).as("no shared data beside the project").exists();
    return seeds;
  }

  @Test
  void theRegretOnEnron() throws Exception {
    int seeds = seeds("enron");
    measure("Enron", PublicDataset.ENRON.read(SharedData.folder("enron")), "relevant", seeds);
  }

  @Test
  void theRegretOnBanking77() throws Exception {
    int seeds = seeds("banking77");
    measure(
        "BANKING77",
        PublicDataset.BANKING77.read(SharedData.folder("banking77")),
        "classify",
        seeds);
  }
}

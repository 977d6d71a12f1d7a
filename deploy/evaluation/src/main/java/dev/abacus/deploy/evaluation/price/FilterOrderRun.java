package dev.abacus.deploy.evaluation.price;

import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.evaluation.dataset.Dataset;
import dev.abacus.deploy.evaluation.learning.GivenPlanRun;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.paper.SimulatedModelClient;
import dev.abacus.deploy.job.InputDocument;
import dev.abacus.deploy.job.JobResult;
import dev.abacus.deploy.local.DataFolder;
import dev.abacus.deploy.local.LocalStack;
import dev.abacus.deploy.simulator.InProcessModels;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.StatusReports;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.LearnedOrder;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.execution.Checkpoint;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.execution.PlanOutcome;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A program of filters with a learned order against the best order that is equal for all documents.
 * One model answers all filters. Its answers to each document and filter are computed beside, so
 * all fixed orders are known. The cost is that of the second half of the documents, and the promise
 * that of the plan after the first half.
 */
final class FilterOrderRun {

  private static final String MODEL = "gpt-4o-mini";

  /** The models of the stack and those beside it answer alike. */
  private static final long SEED = 42;

  private final Program program;
  private final List<InputDocument> documents;

  /** By document, then filter. */
  private final double[][] costs;

  private final double[][] tokens;
  private final boolean[][] passes;

  private FilterOrderRun(Program program, List<InputDocument> documents) {
    int filters = program.operators().size();
    this.program = program;
    this.documents = documents;
    this.costs = new double[documents.size()][filters];
    this.tokens = new double[documents.size()][filters];
    this.passes = new boolean[documents.size()][filters];
  }

  static PriceRow row(PricedProgram priced, Dataset dataset, Consumer<String> progress)
      throws IOException, InterruptedException {
    try (DataFolder folder = DataFolder.of(null, "price")) {
      dataset.writeTo(folder.path());
      Path answers = folder.path().resolve("answers.jsonl");
      String text = Files.readString(folder.path().resolve("program.yaml"));
      Program program = BenchmarkProgram.parse(text);
      FilterOrderRun run =
          new FilterOrderRun(
              program,
              InputDocument.read(
                  folder.path().resolve("documents.jsonl"), program.sources().getFirst()));
      progress.accept("%s: all answers".formatted(priced.title()));
      run.askAll(answers);
      SimulatorOptions models =
          SimulatorOptions.DEFAULTS
              .withSeed(SEED)
              .withAnswers(answers)
              .withSpeed(Double.POSITIVE_INFINITY);
      try (GivenPlanRun live =
          GivenPlanRun.start(
              LocalStack.Settings.defaults().withSimulator(models),
              program,
              MODEL,
              new Estimate(1, 0, 0),
              null,
              progress)) {
        return run.compared(priced, live);
      }
    }
  }

  private void askAll(Path answers) throws InterruptedException {
    SimulatedModelClient models =
        new SimulatedModelClient(
            new InProcessModels(List.of(answers), SEED), ModelCatalogue.builtIn());
    PlanExecutor executor = new PlanExecutor(new OperatorRuntime(Embedders.of()));
    for (int i = 0; i < costs.length; i++) {
      Checkpoint start = Checkpoint.start(documents.get(i).document());
      for (int j = 0; j < costs[i].length; j++) {
        PlanStep step = new PlanStep(program.operators().get(j), new ModelSelection(MODEL));
        PlanOutcome outcome = executor.run(List.of(step), start, models, _ -> {});
        costs[i][j] = outcome.stats().cost();
        tokens[i][j] = number(outcome.stats().tokens());
        passes[i][j] = outcome instanceof PlanOutcome.Result;
      }
    }
  }

  private static double number(TokenCounts counts) {
    return (double) counts.input() + counts.output();
  }

  private PriceRow compared(PricedProgram priced, GivenPlanRun live) {
    int half = costs.length / 2;
    live.send(documents.subList(0, half), () -> {});
    PromiseReport report =
        Objects.requireNonNull(
            PromiseReport.find(status(live).optimizer(program.name())), "no report of a plan");
    double before = live.job().snapshot().costUsd();
    double tokensBefore = tokens(live);
    live.send(documents.subList(half, costs.length), () -> {});
    int measured = costs.length - half;
    double spent = tokens(live);
    List<Integer> best = LearnedOrder.fixed(costs, passes);
    Range promised = report.promised().cost();
    String learned =
        "an order of each document, promised %s to %s; tokens ÷ the best fixed order: %.3f, with the first half %.3f; %d of %d outcomes differ"
            .formatted(
                promised.low(),
                promised.high(),
                (spent - tokensBefore) / measured / mean(best, tokens, half),
                spent / costs.length / mean(best, tokens, 0),
                differing(live),
                costs.length);
    String fixed =
        String.format(
            Locale.ROOT,
            "the best of all fixed orders, %s: %.0f tokens per document",
            best.stream()
                .map(program.operators()::get)
                .map(LogicalOperator::id)
                .collect(Collectors.joining(", ")),
            mean(best, tokens, half));
    double least = mean(best, costs, half);
    return PriceRow.of(
        priced,
        Lever.FILTER_ORDER,
        measured(fixed, least, least),
        measured(learned, promised.mean(), (live.job().snapshot().costUsd() - before) / measured));
  }

  private static StatusReports status(GivenPlanRun live) {
    return TopicReader.status(live.stack().connection());
  }

  private double tokens(GivenPlanRun live) {
    return status(live).instances(program.name()).stream()
        .mapToDouble(one -> one.tokens() == null ? 0 : number(one.tokens()))
        .sum();
  }

  private PriceRow.Measured measured(String plan, double promised, double cost) {
    double none = Double.NaN;
    return new PriceRow.Measured(plan, none, null, promised, cost, none, null, costs.length);
  }

  /** The mean over the documents from a number on, in an order that is equal for all. */
  private double mean(List<Integer> order, double[][] calls, int from) {
    double sum = 0;
    for (int i = from; i < calls.length; i++) {
      sum += LearnedOrder.cost(order, calls[i], passes[i]);
    }
    return sum / (calls.length - from);
  }

  /** Number of documents that are kept and should not be, or the other way round. */
  private int differing(GivenPlanRun live) {
    Set<String> kept =
        live.job().results().stream().map(JobResult::key).collect(Collectors.toSet());
    int differing = 0;
    for (int i = 0; i < passes.length; i++) {
      boolean[] row = passes[i];
      boolean passesAll = IntStream.range(0, row.length).allMatch(filter -> row[filter]);
      differing += passesAll == kept.contains(documents.get(i).key()) ? 0 : 1;
    }
    return differing;
  }
}

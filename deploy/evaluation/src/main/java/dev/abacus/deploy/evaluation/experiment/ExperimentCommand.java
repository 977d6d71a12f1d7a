package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.deploy.cli.CommandExtension;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.report.Figures;
import dev.abacus.deploy.evaluation.paper.PaperCommand;
import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.program.Horizon;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Settings.Governance;
import dev.abacus.schemas.program.builder.FieldBuilder;
import dev.abacus.schemas.program.builder.ProgramBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus experiment}. */
@Command(
    name = "experiment",
    subcommands = PaperCommand.class,
    description = {
      "Play a sampling policy and the plan search against measured landscapes, without Kafka "
          + "and models.",
      "A landscape holds the true quality, cost and latency of every implementation of an "
          + "operator, one JSON object a line: id, technique, models, params, quality, cost_usd and "
          + "latency_s. Samples are drawn from it with noise; the plan that is chosen in the end is "
          + "judged by the truth."
    },
    footer = {
      "  abacus experiment --landscape classify=landscape.jsonl --policy surrogate --budget 50 \\",
      "    --objective 'maximize quality subject to cost <= 0.002' --seeds 100 -o json"
    })
public final class ExperimentCommand implements CommandExtension, Runnable {

  private static final String HELP = "`abacus experiment --help` shows what there is.";

  private static final String GENERATED = "generated:";

  @Option(
      names = "--landscape",
      paramLabel = "OPERATOR=F.jsonl|generated:SEED",
      description =
          "A landscape; several make a chain, the first upstream of all. The seed of a generated one draws its shape too.")
  private Map<String, String> landscapes = new LinkedHashMap<>();

  @Option(
      names = "--policy",
      description = "surrogate, paper or random (default: ${DEFAULT-VALUE}).")
  private PolicyName policy = PolicyName.DEFAULT;

  @Option(
      names = "--budget",
      paramLabel = "N|$$X",
      description =
          "Samples for each operator, or dollars for all of them (default: ${DEFAULT-VALUE}).")
  private String budgetText = "50";

  @Option(names = "--objective", description = "What is wanted (default: ${DEFAULT-VALUE}).")
  private Objective objective = ObjectiveParser.parse("maximize quality");

  @Option(
      names = "--seeds",
      description = "How many searches, with seeds from 0 on (default: ${DEFAULT-VALUE}).")
  private int seeds = 100;

  @Option(
      names = "--quality-concentration",
      defaultValue = "10",
      description = "Of the Beta distribution of quality (default: ${DEFAULT-VALUE}).")
  private double concentration = 10;

  @Option(
      names = "--cv",
      description = "Coefficient of variation of cost and latency (default: ${DEFAULT-VALUE}).")
  private double variation = 0.3;

  @Option(
      names = "--example-effect",
      description =
          "Standard deviation of what an example adds to the quality of all operators alike (default: ${DEFAULT-VALUE}).")
  private double exampleEffect = 0.1;

  @Option(
      names = "--shared-mistakes",
      defaultValue = "0",
      description =
          "Share of the examples on which implementations with the same last model are right or wrong together (default: ${DEFAULT-VALUE}).")
  private double sharedMistakes;

  @Option(names = "--examples", description = "Validation examples (default: ${DEFAULT-VALUE}).")
  private int examples = 200;

  @Option(
      names = "--confirmation-share",
      description =
          "Fraction of the budget that measures the best plans on unused examples; policy surrogate only (default: ${DEFAULT-VALUE}).")
  private double confirmationShare = Confirmation.SHARE;

  @Option(
      names = "--bound-probability",
      description = "Probability with which a bound has to hold (default: ${DEFAULT-VALUE}).")
  private double boundProbability = Confirmation.BOUND_PROBABILITY;

  @Option(
      names = "--quality-tolerance",
      description =
          "Difference in quality up to which the cheaper plan is chosen (default: ${DEFAULT-VALUE}).")
  private double tolerance = Confirmation.TOLERANCE;

  @Option(
      names = "--documents",
      paramLabel = "N",
      description =
          "Documents that the plan is for: a search ends when no further sample is worth its price (default: it uses the whole budget).")
  private @Nullable Long documents;

  @Option(
      names = "--mixture",
      description = "Two plans for shares of the documents may be chosen, as one plan.")
  private boolean mixture;

  @Option(
      names = "--equal-dollars",
      description =
          "Run policy paper with --budget first, and give each search the dollars that paper spent with its seed.")
  private boolean equalDollars;

  @Mixin private Output output = new Output();

  @Override
  public void run() {
    ExperimentSettings settings = settings();
    List<TrialResult> paper = equalDollars ? paper(settings) : List.of();
    List<TrialResult> runs =
        TrialRunner.run(
            seed ->
                paper.isEmpty()
                    ? settings
                    : settings.with(
                        new SampleBudget.Dollars(paper.get((int) seed).spentUsd()),
                        settings.confirmation()),
            seed -> policy.create(seed, budgetPerOperator(settings), Priors.NONE),
            seeds,
            output);
    ExperimentReport report =
        new ExperimentReport(
            policy.label(),
            budget(settings),
            settings.objective().toString(),
            runs,
            Summary.of(settings, runs),
            paper.isEmpty() ? null : Summary.of(settings, paper));
    if (output.json()) {
      output.value(report);
    } else {
      Figures.lines(report.summary()).forEach(output::line);
      if (report.paper() != null) {
        output.line("paper, with the same dollars:");
        Figures.lines(report.paper()).forEach(output::line);
      }
    }
  }

  private List<TrialResult> paper(ExperimentSettings settings) {
    ExperimentSettings unconfirmed = settings.with(settings.budget(), Confirmation.NONE);
    return TrialRunner.run(
        _ -> unconfirmed,
        seed -> PolicyName.PAPER.create(seed, budgetPerOperator(settings), Priors.NONE),
        seeds,
        output);
  }

  private ExperimentSettings settings() {
    if (landscapes.isEmpty()) {
      throw invalid("Missing required option: '--landscape=OPERATOR=F.jsonl'");
    }
    if (seeds < 1) {
      throw invalid("--seeds is " + seeds + "; it must be at least 1");
    }
    List<Landscape> read = new ArrayList<>();
    landscapes.forEach((operator, source) -> read.add(landscape(operator, source)));
    try {
      return new ExperimentSettings(
          read,
          chain(),
          objective,
          budget(),
          new Noise(concentration, variation, exampleEffect, sharedMistakes),
          examples,
          confirmation());
    } catch (IllegalArgumentException e) {
      throw invalid(String.valueOf(e.getMessage()));
    }
  }

  /**
   * The program that the landscapes stand for: maps one after the other, none can change places.
   */
  private Program chain() {
    ProgramBuilder chain =
        ProgramBuilder.program("experiment")
            .source("documents", "documents")
            .results("results")
            .objective(objective)
            .governor(new Governance(null, null, null, mixture));
    if (documents != null) {
      chain.horizon(new Horizon(documents));
    }
    List<String> operators = List.copyOf(landscapes.keySet());
    for (int i = 0; i < operators.size(); i++) {
      String reads = i == 0 ? "text" : "field_" + (i - 1);
      FieldBuilder writes = FieldBuilder.string("field_" + i);
      chain.map(operators.get(i), map -> map.instruction("Simulated.").reads(reads).writes(writes));
    }
    return chain.build();
  }

  private Landscape landscape(String operator, String source) {
    if (!source.startsWith(GENERATED)) {
      return LandscapeReader.read(operator, Path.of(source));
    }
    try {
      long seed = Long.parseLong(source.substring(GENERATED.length()));
      LandscapeGenerator.Shape shape = LandscapeGenerator.Shape.of(seed);
      output.note("%s: %s".formatted(operator, shape));
      return LandscapeGenerator.landscape(operator, shape, seed);
    } catch (NumberFormatException e) {
      throw invalid(
          "--landscape %s=%s: the seed must be a whole number, such as generated:7"
              .formatted(operator, source));
    }
  }

  /** The other policies are the paper's, which measures no plans. */
  private Confirmation confirmation() {
    return policy == PolicyName.SURROGATE
        ? new Confirmation(confirmationShare, boundProbability, tolerance)
        : Confirmation.NONE;
  }

  private SampleBudget budget() {
    try {
      return budgetText.startsWith("$")
          ? new SampleBudget.Dollars(Double.parseDouble(budgetText.substring(1)))
          : new SampleBudget.Invocations(Integer.parseInt(budgetText));
    } catch (IllegalArgumentException e) {
      throw invalid(
          "--budget is '%s'; it must be samples, such as 50, or dollars, such as $1.5"
              .formatted(budgetText));
    }
  }

  private static int budgetPerOperator(ExperimentSettings settings) {
    return switch (settings.budget()) {
      case SampleBudget.Invocations(int samples) -> samples;
      case SampleBudget.Dollars _, SampleBudget.Tokens _ -> SampleBudget.SAMPLES_PER_OPERATOR;
    };
  }

  private static Object budget(ExperimentSettings settings) {
    return switch (settings.budget()) {
      case SampleBudget.Invocations(int samples) -> samples;
      case SampleBudget.Dollars(double usd) -> Map.of("usd", usd);
      case SampleBudget.Tokens(long tokens) -> Map.of("tokens", tokens);
    };
  }

  private static CommandFailure invalid(String what) {
    return CommandFailure.invalid(what, HELP);
  }
}

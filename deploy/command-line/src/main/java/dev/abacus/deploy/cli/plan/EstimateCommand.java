package dev.abacus.deploy.cli.plan;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.InputFiles;
import dev.abacus.deploy.cli.option.KafkaOptions;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.ProgramFile;
import dev.abacus.deploy.cli.option.ProgramOptions;
import dev.abacus.deploy.cli.report.NaivePriceReport;
import dev.abacus.deploy.cli.report.PlanConfidence;
import dev.abacus.deploy.cli.report.PriceReport;
import dev.abacus.deploy.job.JobInput;
import dev.abacus.deploy.price.PricedPlan;
import dev.abacus.optimizer.api.ProgramEstimates;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus estimate}. */
@Command(
    name = "estimate",
    description = {
      "Price documents before a run: by the plan of a cluster or file, by estimates, or, if "
          + "nothing is known, by the tokens of the program's prompts over the documents and the "
          + "catalogue's prices.",
      "Shows the basis of the price. Calls no model."
    },
    footer =
        "  abacus estimate deploy/examples/support-triage/program.yaml --documents documents.jsonl")
public final class EstimateCommand implements Runnable {

  @Mixin private ProgramFile file = new ProgramFile();

  @ArgGroup private @Nullable Known known;

  /** A file with known estimates. */
  private static final class Known {

    @Option(
        names = "--plan",
        paramLabel = "PLAN.json",
        description = "A plan in the format of `abacus plan show -o json`.")
    private @Nullable Path plan;

    @Option(
        names = "--estimates",
        paramLabel = "E.json",
        description = "Estimates of implementations in the format of `abacus search`.")
    private @Nullable Path estimates;
  }

  @Option(
      names = "--objective",
      paramLabel = "OBJECTIVE",
      description = "Objective instead of the program's, if there is no plan yet.")
  private @Nullable Objective wanted;

  @Mixin private InputFiles files = new InputFiles();
  @Mixin private KafkaOptions kafka = new KafkaOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    ModelCatalogue catalogue = file.catalogue();
    Program program = file.read();
    Objective objective = wanted == null ? program.objective() : wanted;
    JobInput input = files.read(program);
    long documents = input.size();
    CommandFailure.require(
        documents > 0,
        "there are no documents to price",
        "Give --documents F.jsonl with at least one line.");
    PhysicalPlan plan = plan(program, catalogue);
    PriceReport report;
    if (plan != null) {
      report = ofPlan(plan, documents);
    } else if (known != null && known.estimates != null) {
      report = ofEstimates(program, known.estimates, objective, documents);
    } else {
      report = NaivePriceReport.of(program, catalogue, objective, input, documents);
    }
    output.data(report.json(program), report.lines(program));
  }

  private @Nullable PhysicalPlan plan(Program program, ModelCatalogue catalogue) {
    if (known != null) {
      return known.plan == null ? null : read(known.plan, program);
    }
    if (!kafka.isGiven()) {
      return null;
    }
    PhysicalPlan active = kafka.control(catalogue).read().plan(program.name(), null);
    if (active == null) {
      output.note(program.name() + " has no active plan there");
    }
    return active;
  }

  private static PhysicalPlan read(Path file, Program program) {
    try {
      PhysicalPlan plan =
          Json.read(ProgramOptions.text(file).getBytes(StandardCharsets.UTF_8), PhysicalPlan.class);
      CommandFailure.require(
          plan.program().equals(program.name()),
          "%s is a plan of the program '%s', not of '%s'"
              .formatted(file, plan.program(), program.name()),
          "Name a plan of this program.");
      return plan;
    } catch (MalformedRecordException e) {
      throw CommandFailure.invalid(
          "%s is not a plan: %s".formatted(file, e.getMessage()),
          "Write one with `abacus plan show -o json`.");
    }
  }

  private static PriceReport ofPlan(PhysicalPlan plan, long documents) {
    List<String> basis = new ArrayList<>();
    basis.add(
        "the estimate of a plan, which rests on samples of validation examples (`abacus plan show`);"
            + " longer documents cost more");
    if (plan.isTaught()) {
      basis.add(
          "without what live documents taught: a document that a classifier answers costs no call"
              + " (`abacus status` has the share)");
    }
    return new PriceReport(
        "plan",
        documents,
        PricedPlan.known(plan, PlanConfidence.whole(plan).get(Dimension.COST), documents),
        basis);
  }

  private static PriceReport ofEstimates(
      Program program, Path file, Objective objective, long documents) {
    String text = ProgramOptions.text(file);
    return new PriceReport(
        "estimates",
        documents,
        CommandFailure.checked(
            file,
            () -> PricedPlan.searched(ProgramEstimates.read(text, program), objective, documents),
            "`abacus search --help` shows the form of estimates."),
        List.of("the estimates in " + file + ", which hold per input of an operator"));
  }
}

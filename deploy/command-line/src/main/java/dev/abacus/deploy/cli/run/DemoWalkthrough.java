package dev.abacus.deploy.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.report.Amounts;
import dev.abacus.deploy.cli.report.JobSummary;
import dev.abacus.deploy.cli.report.PlanReport;
import dev.abacus.deploy.cli.report.Progress;
import dev.abacus.deploy.cli.report.Table;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.job.InputDocument;
import dev.abacus.deploy.job.Job;
import dev.abacus.deploy.job.JobResult;
import dev.abacus.deploy.job.JobSnapshot;
import dev.abacus.deploy.local.LocalStack;
import dev.abacus.deploy.score.ResultScores;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.Spread;
import dev.abacus.schemas.program.Program;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The steps of the demo: a plan, documents, a new objective, another plan. */
public final class DemoWalkthrough {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** The search goes on after that, and later plans apply to the documents that wait. */
  private static final Duration SEARCH_LIMIT = Duration.ofSeconds(15);

  private static final Duration SWAP_LIMIT = Duration.ofSeconds(40);
  private static final Duration BETWEEN_DOCUMENTS = Duration.ofMillis(300);
  private static final int SHOWN_RESULTS = 5;

  private final LocalStack stack;
  private final Program program;
  private final Job job;
  private final JobWatch watch;
  private final Progress progress;
  private final ControlTopic control;
  private final Consumer<String> say;
  private final long start = System.nanoTime();
  private int sent;

  DemoWalkthrough(
      LocalStack stack,
      Program program,
      Job job,
      Progress progress,
      ModelCatalogue catalogue,
      Consumer<String> say) {
    this.stack = stack;
    this.program = program;
    this.job = job;
    this.progress = progress;
    this.watch = new JobWatch(job, progress, new StallTimer(PATIENCE, System::nanoTime));
    this.control = new ControlTopic(stack.connection(), catalogue);
    this.say = say;
  }

  /** Runs all steps; returns the JSON output of the command. */
  ObjectNode tell(List<InputDocument> documents) {
    PhysicalPlan first = firstPlan();
    say.accept("");
    say.accept("documents flow");
    send(documents, documents.size() / 2);
    watch.within(SWAP_LIMIT, snapshot -> snapshot.done() >= documents.size() / 4);
    PhysicalPlan second = swap(first, documents);
    send(documents, documents.size() - sent);
    job.endInput();
    watch.untilDone();
    progress.pause();
    JobSummary summary =
        new JobSummary(
            program.name(),
            job.snapshot(),
            (System.nanoTime() - start) / 1e9,
            second == null ? first : second,
            List.of(),
            ResultScores.Scores.NONE,
            stack.simulated());
    conclude(summary);
    ObjectNode answer = summary.json();
    answer
        .putObject("swap")
        .put("fromEpoch", first.epoch())
        .put("toEpoch", second == null ? null : Long.valueOf(second.epoch()))
        .put("objective", second == null ? null : second.objective().toString());
    return answer;
  }

  private PhysicalPlan firstPlan() {
    say.accept("");
    say.accept("program %s: %s".formatted(program.name(), program.objective()));
    say.accept("searching a plan: the optimizer samples implementations on validation examples");
    control.write(new ControlRecord.ProgramSet(program));
    watch.until(snapshot -> snapshot.activeEpoch() != null);
    // The first plan comes after a few samples; the search continues and improves it.
    watch.within(SEARCH_LIMIT, snapshot -> snapshot.searchedSince(Instant.EPOCH));
    progress.pause();
    PhysicalPlan plan = control.read().requirePlan(program.name(), null);
    say.accept("");
    PlanReport.lines(plan).forEach(say);
    return plan;
  }

  /** Requests a cheaper plan while documents flow; null if the plan does not change. */
  private @Nullable PhysicalPlan swap(PhysicalPlan first, List<InputDocument> documents) {
    Objective objective = cheaper(first);
    progress.pause();
    say.accept("");
    say.accept("objective changes while documents flow: " + objective);
    control.write(new ControlRecord.ObjectiveSet(program.name(), objective));
    long deadline = System.nanoTime() + SWAP_LIMIT.toNanos();
    // The last quarter of the documents is for the new plan.
    int limit = documents.size() - Math.max(1, documents.size() / 4);
    while (!decided(objective) && System.nanoTime() < deadline) {
      if (sent < limit) {
        send(documents, 1);
      }
      watch.within(BETWEEN_DOCUMENTS, snapshot -> decided(objective));
    }
    progress.pause();
    if (!decided(objective)) {
      say.accept("the optimizer has not decided within %d s".formatted(SWAP_LIMIT.toSeconds()));
      return null;
    }
    PhysicalPlan second = control.read().requirePlan(program.name(), null);
    say.accept("");
    PlanReport.lines(second).forEach(say);
    say.accept(
        second.epoch() == first.epoch()
            ? "epoch %d stays: no plan is shown to be better for this".formatted(first.epoch())
            : "epoch %d is active: new documents take it, those under way keep epoch %d"
                .formatted(second.epoch(), first.epoch()));
    return second;
  }

  /** Whether the plan in force was decided for the objective; it may be the same plan. */
  private boolean decided(Objective objective) {
    return control.read().requirePlan(program.name(), null).objective().equals(objective);
  }

  /**
   * Minimize cost at a quality that a cheaper plan of the frontier holds with the required
   * probability: the cheaper plan with the highest such quality, at most half as dear as the active
   * one if there is one.
   */
  public static Objective cheaper(PhysicalPlan plan) {
    double bound =
        Stream.of(plan.estimate().cost() / 2, Math.nextDown(plan.estimate().cost()))
            .map(cost -> surest(plan, cost))
            .filter(OptionalDouble::isPresent)
            .mapToDouble(OptionalDouble::getAsDouble)
            .findFirst()
            .orElseGet(() -> held(plan, plan.choice()));
    return new Objective(
        Dimension.COST, List.of(new Bound(Dimension.QUALITY, Math.floor(bound * 100) / 100)));
  }

  /** The highest quality that a plan of at most this cost holds. */
  private static OptionalDouble surest(PhysicalPlan plan, double cost) {
    return plan.frontier().stream()
        .filter(choice -> choice.estimate().cost() <= cost)
        .mapToDouble(choice -> held(plan, choice))
        .max();
  }

  /** The quality that a plan holds with the required probability, or else its estimate. */
  private static double held(PhysicalPlan plan, PlanChoice choice) {
    Spread spread = choice.spread();
    Double bound =
        spread == null
            ? null
            : spread.strictest(choice.estimate(), Dimension.QUALITY, plan.required());
    return Math.clamp(bound == null ? choice.estimate().quality() : bound, 0, 1);
  }

  private void send(List<InputDocument> documents, int count) {
    job.send(documents.subList(sent, sent + count));
    sent += count;
  }

  private void conclude(JobSummary summary) {
    say.accept("");
    say.accept("some results:");
    Table table = new Table("document", "epoch", "USD", "result");
    List<JobResult> results = job.results();
    int step = Math.max(1, results.size() / SHOWN_RESULTS);
    for (int i = 0; i < results.size() && i / step < SHOWN_RESULTS; i += step) {
      JobResult result = results.get(i);
      ObjectNode fields = result.output().deepCopy();
      fields.remove(program.sources().getFirst().key());
      table.row(
          result.key(),
          Objects.requireNonNullElse(result.epoch(), "?"),
          Amounts.usd(result.costUsd()),
          fields);
    }
    table.lines().forEach(line -> say.accept("  " + line));
    say.accept("");
    summary.lines().forEach(say);
    JobSnapshot snapshot = summary.job();
    say.accept(
        "every document is accounted for: %d + %d + %d = %d"
            .formatted(
                snapshot.results(), snapshot.filtered(), snapshot.deadLetters(), snapshot.sent()));
  }
}

package dev.abacus.deploy.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.cli.option.AppliedProgram;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.report.Amounts;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.deploy.job.ExampleFile;
import dev.abacus.deploy.replay.Candidate;
import dev.abacus.deploy.replay.ProcessedDocuments;
import dev.abacus.deploy.replay.ProcessedDocuments.Processed;
import dev.abacus.deploy.replay.ProcessedDocuments.Selection;
import dev.abacus.deploy.replay.ReplayComparison;
import dev.abacus.deploy.replay.ReplaySession;
import dev.abacus.deploy.replay.ResultsInForce;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.StatusReports;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.observation.ReplayTask;
import dev.abacus.schemas.plan.Mixture;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.program.Program;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus replay}. */
@Command(
    name = "replay",
    description = {
      "Run a plan or a changed program on documents that were processed, beside production, "
          + "and show how its results differ from those in force, what it costs and how long it "
          + "takes.",
      "Workers run it; it writes no result and no dead letter."
    },
    footer = "  abacus replay support-triage --plan 17 --last 1000 --max-usd 0.50")
public final class ReplayCommand implements Runnable {

  /** Without a limit, a replay ends at this multiple of its stated price. */
  private static final double MARGIN = 2;

  @Mixin private AppliedProgram program = new AppliedProgram();

  @ArgGroup(multiplicity = "1")
  @SuppressWarnings("NullAway.Init") // picocli
  private Tried tried;

  /** What to try. */
  private static final class Tried {
    @Option(names = "--plan", paramLabel = "EPOCH", description = "A published plan.")
    private @Nullable Long epoch;

    @Option(
        names = "--program",
        paramLabel = "NEW.yaml",
        description =
            "The plan in force with the operators of a changed program, for instance other instructions.")
    private @Nullable Path file;
  }

  @ArgGroup(multiplicity = "1")
  @SuppressWarnings("NullAway.Init") // picocli
  private Documents documents;

  /** Which documents. */
  private static final class Documents {
    @Option(names = "--last", paramLabel = "N", description = "The last N processed documents.")
    private @Nullable Integer last;

    @Option(
        names = "--since",
        paramLabel = "DURATION",
        description = "Processed documents of this time, such as 90m, 12h or 7d.")
    private @Nullable Duration since;
  }

  @Option(
      names = "--sample",
      paramLabel = "SHARE",
      defaultValue = "1",
      description = "Share of these documents, above 0 and at most 1 (default: ${DEFAULT-VALUE}).")
  private double sample;

  @Option(
      names = "--max-usd",
      paramLabel = "USD",
      description =
          "Stop before more than this is spent (default: twice the stated price; --judge has none).")
  private @Nullable Double maxUsd;

  @Option(
      names = "--judge",
      description = "Let the judge score the outputs; it costs extra, so give --max-usd.")
  private boolean judge;

  @Option(
      names = "--labels",
      paramLabel = "F.jsonl",
      description = "Labels of documents by id, to score outputs by; as for run.")
  private @Nullable Path labels;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      description = "Documents that are replayed at the same time (default: ${DEFAULT-VALUE}).")
  private int inFlight = 16;

  @Option(
      names = "--patience",
      paramLabel = "DURATION",
      defaultValue = "2m",
      description =
          "Longest time without an outcome before the replay ends (default: ${DEFAULT-VALUE}).")
  private Duration patience = Duration.ZERO;

  @Mixin private Output output = new Output();

  @Override
  public void run() {
    Selection selection = selection();
    CommandFailure.require(
        !judge || maxUsd != null,
        "the price of the judge is not known",
        "Say how much it may be in all with --max-usd.");
    ControlState state = program.control().read();
    Program inForce = state.effective(state.require(program.name()));
    KafkaConnection connection = program.connection();
    connection.requireAccess(Role.REPLAY_DOCUMENTS, List.of(inForce));
    PhysicalPlan active = state.requirePlan(inForce.name(), null);
    Candidate candidate = candidate(state, inForce, active);
    StatusReports status = TopicReader.status(connection);
    List<Processed> found = documents(connection, inForce, status, selection);
    PromiseReport measured = PromiseReport.find(status.optimizer(inForce.name()));
    double each = price(candidate, active, measured);
    double most = limit(each, found.size());
    candidate.notes().forEach(output::note);
    output.note(
        "%,d documents at about %s each: %s%s; stops at %s"
            .formatted(
                found.size(),
                Amounts.usd(each),
                Amounts.usd(each * found.size()),
                judge ? " and the judge" : "",
                Amounts.usd(most)));
    ReplayComparison comparison =
        new ReplayComparison(
            candidate,
            ResultsInForce.read(connection, inForce, found),
            state.plans(inForce.name()));
    ReplaySession session =
        new ReplaySession(
            connection, inForce.name(), new ReplaySession.Limits(most, each, inFlight, patience));
    ReplaySession.End end = replay(session, candidate, found, comparison);
    ReplayReport report =
        new ReplayReport(
            tried.file == null ? "the plan of epoch " + tried.epoch : tried.file.toString(),
            candidate,
            active.epoch(),
            measured != null && measured.epoch() == active.epoch() ? measured : null,
            comparison,
            session.spent(),
            stopped(end, most),
            tried.file == null
                ? "abacus plan activate %s %d".formatted(inForce.name(), tried.epoch)
                : "abacus apply " + JsonLines.argument(tried.file));
    output.data(report.json(), report.lines());
    if (end == ReplaySession.End.NO_ANSWER) {
      throw CommandFailure.failed(
          "the replay is not complete: no worker answered for %d s".formatted(patience.toSeconds()),
          "Run it again when workers answer; what was paid for is not paid again for 6 hours.");
    }
  }

  private ReplaySession.End replay(
      ReplaySession session,
      Candidate candidate,
      List<Processed> found,
      ReplayComparison comparison) {
    Map<String, JsonNode> known =
        labels == null ? Map.of() : ExampleFile.readLabels(labels, candidate.program());
    Map<String, Processed> byPosition = new HashMap<>();
    found.forEach(document -> byPosition.put(document.position(), document));
    return session.run(
        found.stream().map(document -> task(candidate, document, known)).toList(),
        outcome ->
            comparison.add(Objects.requireNonNull(byPosition.get(outcome.position())), outcome));
  }

  private @Nullable String stopped(ReplaySession.End end, double most) {
    return switch (end) {
      case COMPLETE -> null;
      case LIMIT -> "a further document may cost more than what is left of " + Amounts.usd(most);
      case NO_ANSWER -> "no worker answered for %d s".formatted(patience.toSeconds());
    };
  }

  private Selection selection() {
    CommandFailure.require(
        sample > 0 && sample <= 1, "--sample is " + sample, "Give a number above 0 and at most 1.");
    CommandFailure.require(inFlight > 0, "--in-flight is " + inFlight, "Give a number above 0.");
    CommandFailure.require(
        !patience.isZero(), "--patience is 0", "Give a length of time such as 90s or 2m.");
    Integer last = documents.last;
    if (last != null) {
      CommandFailure.require(last > 0, "--last is " + last, "Give a number above 0.");
      return new Selection.Last(last);
    }
    Duration since = Objects.requireNonNull(documents.since);
    return new Selection.Since(Instant.now().minus(since));
  }

  private Candidate candidate(ControlState state, Program inForce, PhysicalPlan active) {
    Path file = tried.file;
    if (file != null) {
      return Candidate.of(inForce, active, program.read(file), program.catalogue());
    }
    long epoch = Objects.requireNonNull(tried.epoch, "picocli requires one of the options");
    return Candidate.of(inForce, state.requireActivatable(inForce.name(), epoch));
  }

  private List<Processed> documents(
      KafkaConnection connection, Program inForce, StatusReports status, Selection selection) {
    Instant now = Instant.now();
    List<InstanceStatus> workers =
        status.instances(inForce.name()).stream()
            .filter(instance -> !StatusReports.isSilent(instance.at(), now))
            .toList();
    if (workers.isEmpty()) {
      throw CommandFailure.failed(
          "no worker runs '%s'".formatted(inForce.name()),
          "Start one with `abacus worker`; `abacus status %s` shows it.".formatted(inForce.name()));
    }
    long pending = workers.stream().mapToLong(InstanceStatus::pending).sum();
    if (pending > 0) {
      output.note(
          "up to %,d of the latest documents are in process: without a result, they count as dropped"
              .formatted(pending));
    }
    String application = connection.application(inForce, workers);
    List<String> topics = inForce.sources().stream().map(Program.Source::topic).distinct().toList();
    List<Processed> found =
        new ProcessedDocuments(connection, application, topics)
            .find(selection).stream().filter(document -> document.isIn(sample)).toList();
    if (selection instanceof Selection.Last(int number) && sample == 1 && found.size() < number) {
      output.note("the topics have %,d processed documents only".formatted(found.size()));
    }
    return found;
  }

  /**
   * USD per document, as measured if the plan is in force as it is replayed, else as promised or
   * estimated: live documents may cost less by what they taught.
   */
  private static double price(
      Candidate candidate, PhysicalPlan active, @Nullable PromiseReport measured) {
    PhysicalPlan plan = candidate.plan();
    if (plan.epoch() == active.epoch()
        && !active.isTaught()
        && measured != null
        && measured.epoch() == plan.epoch()
        && measured.measured().cost() != null) {
      return measured.measured().cost().mean();
    }
    return plan.promised(Dimension.COST);
  }

  private double limit(double each, int number) {
    if (maxUsd != null) {
      CommandFailure.require(
          maxUsd >= 0, "--max-usd is " + maxUsd, "Give a number that is not negative.");
      CommandFailure.require(
          maxUsd >= each,
          "one document costs about %s, more than --max-usd %s"
              .formatted(Amounts.usd(each), Amounts.usd(maxUsd)),
          "Raise --max-usd.");
      return maxUsd;
    }
    CommandFailure.require(
        each > 0, "the price of this plan is not known", "Say how much it may be with --max-usd.");
    return MARGIN * each * number;
  }

  private ReplayTask task(Candidate candidate, Processed document, Map<String, JsonNode> known) {
    Map<String, JsonNode> own = new LinkedHashMap<>();
    JsonNode labelled = known.get(document.key());
    if (labelled != null) {
      labelled.properties().forEach(label -> own.put(label.getKey(), label.getValue()));
    }
    PlanChoice plan = candidate.plan().choice();
    Mixture mixture = plan.mixture();
    return new ReplayTask(
        plan.steps(mixture != null && mixture.takes(document.draw())),
        document.at().topic(),
        document.at().partition(),
        document.at().offset(),
        own,
        judge);
  }
}

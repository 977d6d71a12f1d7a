package dev.abacus.deploy.evaluation.learning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.evaluation.load.ArrivalTimes;
import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.job.InputDocument;
import dev.abacus.deploy.local.LocalStack;
import dev.abacus.deploy.local.PlaneSettings;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.LearnedAnswers;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code abacus bench learning}: sends a stream of messages through Kafka, a worker and an
 * optimizer, in this process, with one plan that asks a model for the intent of each, and no
 * labels. All further plans are what the optimizer has learnt.
 */
@Command(
    name = "learning",
    description = {
      "Measure what is learnt from live documents: a stream of real messages passes through "
          + "Kafka, a worker, an optimizer and an endpoint that counts its calls.",
      "The model is simulated: its answers are fixed, right for 93 %% of the messages; four "
          + "of five mistakes follow from the text. No labels are used."
    },
    footer = "  abacus bench learning --stream ../shared/data/banking77/stream.jsonl -o json")
public final class LearningCommand extends BenchmarkCommand<LearningReport> {

  private static final double USD_PER_CALL = 0.000_111;
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Option(
      names = "--stream",
      paramLabel = "FILE",
      defaultValue = "../shared/data/banking77/stream.jsonl",
      description = {
        "Messages, one JSON object with id, text and intent per line (default: ${DEFAULT-VALUE})."
      })
  private Path stream = Path.of("");

  @Option(
      names = "--messages",
      paramLabel = "N",
      description = "Send the first N messages of the order only (default: all).")
  private int messages = Integer.MAX_VALUE;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      defaultValue = "RANDOM",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private StreamOrder order = StreamOrder.RANDOM;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the order (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--target",
      paramLabel = "SHARE",
      description = "Agreement that is asked for (default: ${DEFAULT-VALUE}).")
  private double target = 0.9;

  @Option(
      names = "--audit",
      paramLabel = "SHARE",
      description = "Audited share (default: ${DEFAULT-VALUE}).")
  private double audit = 0.02;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "50",
      description = "Calls per second that the endpoint serves (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      description =
          "Documents in flight (default: ${DEFAULT-VALUE}). Those that are in flight when a "
              + "plan begins do not follow it; more than a second's calls of the endpoint only wait "
              + "there.")
  private int inFlight = 50;

  /** The messages in the order of their arrival. */
  private List<StreamMessage> sent = List.of();

  private Teacher teacher = Teacher.of(sent);

  @Override
  protected void check() {
    if (messages < 1 || inFlight < 1 || !(rate > 0)) {
      throw new IllegalArgumentException("--messages, --in-flight and --rate must be above 0");
    }
    var _ = new Learning(audit, target);
    if (!Files.isReadable(stream)) {
      throw new IllegalArgumentException(
          "--stream %s cannot be read; name a file with id, text and intent per line"
              .formatted(stream));
    }
  }

  @Override
  protected LearningReport measure() throws IOException {
    List<StreamMessage> all = StreamMessage.read(stream);
    teacher = Teacher.of(all);
    sent = order.of(all, seed);
    sent = sent.subList(0, Math.min(messages, sent.size()));
    try (TeacherEndpoint endpoint = endpoint()) {
      Taught taught = teach(endpoint);
      return report(endpoint, taught, throughput(taught.learned()));
    }
  }

  private TeacherEndpoint endpoint() throws IOException {
    return new TeacherEndpoint(sent, teacher, rate);
  }

  /** What documents taught and what became of them. */
  private record Taught(
      Map<String, String> given,
      int plans,
      Map<String, LearnedAnswers> learned,
      long audits,
      double seconds) {}

  private GivenPlanRun start(
      TeacherEndpoint endpoint, @Nullable Map<String, LearnedAnswers> learned) {
    return GivenPlanRun.start(
        settings(endpoint),
        program(),
        TeacherEndpoint.MODEL,
        new Estimate(0.93, USD_PER_CALL, 1),
        learned,
        this::step);
  }

  private Taught teach(TeacherEndpoint endpoint) {
    try (GivenPlanRun run = start(endpoint, null)) {
      double seconds = send(run, endpoint, sent).seconds();
      Map<String, String> given = new HashMap<>();
      run.job()
          .results()
          .forEach(result ->
              given.put(result.key(), result.output().path(TeacherEndpoint.INTENT).asText()));
      ControlState control = run.control().read();
      PhysicalPlan active = control.requirePlan(run.program().name(), null);
      return new Taught(
          given,
          control.plans(run.program().name()).size(),
          active.learned(),
          audits(run, endpoint.asked().size()),
          seconds);
    }
  }

  /** The audits, as the status says once it knows of all answers; of fewer it tells. */
  private long audits(GivenPlanRun run, long answers) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      JsonNode status =
          TopicReader.status(run.stack().connection()).optimizer(run.program().name());
      JsonNode learning =
          status == null ? MissingNode.getInstance() : status.path("learning").path(0);
      long known = learning.path("answers").asLong();
      boolean late = System.nanoTime() > deadline;
      if (known < answers && late) {
        step("audits are those of %d of %d answers".formatted(known, answers));
      }
      if (known >= answers || late) {
        return learning.path("audits").asLong();
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
  }

  /**
   * When results came.
   *
   * @param seconds from the first document to the last result
   * @param perSecond in steady state: a stream has neither start nor end, and the calls of the last
   *     documents in flight take a second
   */
  private record Pace(double seconds, double perSecond) {}

  private Pace send(GivenPlanRun run, TeacherEndpoint endpoint, List<StreamMessage> documents) {
    long started = System.nanoTime();
    ArrivalTimes arrivals = new ArrivalTimes();
    run.send(
        documents.stream().map(LearningCommand::document).toList(),
        () -> {
          int results = run.job().results().size();
          if (results / 1000 > arrivals.count() / 1000) {
            step("%d results, %d calls".formatted(results, endpoint.calls()));
          }
          long now = System.nanoTime();
          while (arrivals.count() < results) {
            arrivals.add(now);
          }
        });
    return new Pace(arrivals.secondsSince(started), arrivals.steadyRate());
  }

  /** The last messages again, with the last classifiers and with none; nothing is learnt. */
  private LearningReport.Throughput throughput(Map<String, LearnedAnswers> learned)
      throws IOException {
    List<StreamMessage> last =
        sent.subList(Math.max(0, sent.size() - LearningReport.STEADY), sent.size());
    double[] perSecond = new double[2];
    double calls = 0;
    for (int i = 0; i < perSecond.length; i++) {
      try (TeacherEndpoint endpoint = endpoint();
          GivenPlanRun run = start(endpoint, i == 0 ? Map.of() : learned)) {
        perSecond[i] = send(run, endpoint, last).perSecond();
        calls = endpoint.calls();
      }
    }
    return new LearningReport.Throughput(
        1 - calls / last.size(), perSecond[0], perSecond[1], perSecond[1] / perSecond[0]);
  }

  private LocalStack.Settings settings(TeacherEndpoint endpoint) {
    return LocalStack.Settings.defaults()
        .withEndpoint(endpoint.baseUri())
        .withPartitions(1)
        .withPlanes(
            new PlaneSettings(Map.of("abacus.in.flight", String.valueOf(inFlight)), Map.of()));
  }

  private Program program() {
    return BenchmarkProgram.parse(
        """
        program: banking
        sources: { messages: { topic: banking.messages, format: json, key: id } }
        operators:
          - map: classify
            instruction: Which intent does the message of the customer have?
            reads: [text]
            writes: { %s: { type: string, enum: %s, description: intent of the message } }
        results: { topic: banking.results, format: json }
        models: [%s]
        learning: { audit: %s, target: %s }
        """
            .formatted(
                TeacherEndpoint.INTENT,
                Json.tree(teacher.intents()),
                TeacherEndpoint.MODEL,
                audit,
                target));
  }

  private LearningReport report(
      TeacherEndpoint endpoint, Taught taught, LearningReport.Throughput throughput) {
    Map<String, String> answers = new HashMap<>();
    sent.forEach(message -> answers.put(message.id(), teacher.answer(message)));
    Set<String> asked = endpoint.asked();
    LearningReport.Agreement agreement =
        LearningReport.Agreement.of(sent, taught.given(), asked, teacher);
    return new LearningReport(
        order.name(),
        target,
        audit,
        sent.size(),
        endpoint.calls(),
        (double) endpoint.calls() / sent.size(),
        LearningReport.askedOfLast(sent, asked),
        agreement.alone(),
        (double) taught.audits() / Math.max(1, agreement.alone() + taught.audits()),
        agreement.mean(),
        agreement.least(),
        LearningReport.accuracy(sent, taught.given()),
        LearningReport.accuracy(sent, answers),
        taught.plans(),
        taught.seconds(),
        throughput);
  }

  private static InputDocument document(StreamMessage message) {
    return new InputDocument(
        message.id(),
        Document.empty()
            .with("id", TextNode.valueOf(message.id()))
            .with("text", TextNode.valueOf(message.text())));
  }
}

package dev.abacus.deploy.evaluation.learning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.TopicReader;
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
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a stream of messages through Kafka, a worker and an optimizer, in this process, with one
 * plan that asks a model for the intent of each, and no labels. All further plans are what the
 * optimizer has learnt.
 *
 * @param stream the messages in the order of their arrival
 * @param rate calls per second that the endpoint serves
 * @param inFlight documents in flight
 */
record LearningBenchmark(
    StreamOrder order,
    List<StreamMessage> stream,
    Learning learning,
    double rate,
    int inFlight,
    Teacher teacher,
    Consumer<String> progress) {

  private static final double USD_PER_CALL = 0.000_111;
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  LearningBenchmark {
    stream = List.copyOf(stream);
  }

  /** What documents taught and what became of them. */
  private record Taught(
      Map<String, String> given,
      int plans,
      Map<String, LearnedAnswers> learned,
      long audits,
      double seconds) {}

  LearningReport run() throws IOException {
    try (TeacherEndpoint endpoint = endpoint()) {
      Taught taught = teach(endpoint);
      return report(endpoint, taught, throughput(taught.learned()));
    }
  }

  private TeacherEndpoint endpoint() throws IOException {
    return new TeacherEndpoint(stream, teacher, rate);
  }

  private GivenPlanRun start(
      TeacherEndpoint endpoint, @Nullable Map<String, LearnedAnswers> learned) {
    return GivenPlanRun.start(
        settings(endpoint),
        program(),
        TeacherEndpoint.MODEL,
        new Estimate(0.93, USD_PER_CALL, 1),
        learned,
        progress);
  }

  private Taught teach(TeacherEndpoint endpoint) {
    try (GivenPlanRun run = start(endpoint, null)) {
      double seconds = send(run, endpoint, stream).seconds();
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
        progress.accept("audits are those of %d of %d answers".formatted(known, answers));
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
   * @param perSecond results per second between the first tenth of them and the last: a stream has
   *     neither start nor end, and the calls of the last documents in flight take a second
   */
  private record Pace(double seconds, double perSecond) {}

  private Pace send(GivenPlanRun run, TeacherEndpoint endpoint, List<StreamMessage> messages) {
    long started = System.nanoTime();
    NavigableMap<Integer, Long> arrived = new TreeMap<>();
    run.send(
        messages.stream().map(LearningBenchmark::document).toList(),
        () -> {
          int results = run.job().results().size();
          if (!arrived.isEmpty() && results / 1000 > arrived.lastKey() / 1000) {
            progress.accept("%d results, %d calls".formatted(results, endpoint.calls()));
          }
          arrived.putIfAbsent(results, System.nanoTime());
        });
    int tenth = messages.size() / 10;
    Map.Entry<Integer, Long> from = arrived.ceilingEntry(tenth);
    Map.Entry<Integer, Long> to = arrived.ceilingEntry(messages.size() - tenth);
    return new Pace(
        (arrived.lastEntry().getValue() - started) / 1e9,
        (to.getKey() - from.getKey()) / ((to.getValue() - from.getValue()) / 1e9));
  }

  /** The last messages again, with the last classifiers and with none; nothing is learnt. */
  private LearningReport.Throughput throughput(Map<String, LearnedAnswers> learned)
      throws IOException {
    List<StreamMessage> last =
        stream.subList(Math.max(0, stream.size() - LearningReport.STEADY), stream.size());
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
                learning.audit(),
                learning.target()));
  }

  private LearningReport report(
      TeacherEndpoint endpoint, Taught taught, LearningReport.Throughput throughput) {
    Map<String, String> answers = new HashMap<>();
    stream.forEach(message -> answers.put(message.id(), teacher.answer(message)));
    Set<String> asked = endpoint.asked();
    LearningReport.Agreement agreement =
        LearningReport.Agreement.of(stream, taught.given(), asked, teacher);
    return new LearningReport(
        order.name(),
        learning.target(),
        learning.audit(),
        stream.size(),
        endpoint.calls(),
        (double) endpoint.calls() / stream.size(),
        LearningReport.askedOfLast(stream, asked),
        agreement.alone(),
        (double) taught.audits() / Math.max(1, agreement.alone() + taught.audits()),
        agreement.mean(),
        agreement.least(),
        LearningReport.accuracy(stream, taught.given()),
        LearningReport.accuracy(stream, answers),
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

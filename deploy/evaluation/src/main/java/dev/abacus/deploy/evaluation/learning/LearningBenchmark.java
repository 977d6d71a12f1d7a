package dev.abacus.deploy.evaluation.learning;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.job.DocumentFormats;
import dev.abacus.deploy.job.InputDocument;
import dev.abacus.deploy.job.Job;
import dev.abacus.deploy.local.LocalStack;
import dev.abacus.deploy.local.PlaneSettings;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Sends a stream of messages through Kafka, a worker and an optimizer, in this process, with one
 * plan that asks a model for the intent of each, and no labels. All further plans are what the
 * optimizer has learnt.
 */
final class LearningBenchmark {

  private static final Duration PATIENCE = Duration.ofMillis(200);
  private static final Duration STANDSTILL = Duration.ofMinutes(3);
  private static final double USD_PER_CALL = 0.000_111;

  /**
   * Options of the benchmark.
   *
   * @param stream the messages in the order of their arrival
   * @param rate calls per second that the endpoint serves
   */
  record Options(StreamOrder order, List<StreamMessage> stream, Learning learning, double rate) {
    Options {
      stream = List.copyOf(stream);
    }
  }

  private final Options options;
  private final Teacher teacher;
  private final Consumer<String> progress;

  LearningBenchmark(Options options, Teacher teacher, Consumer<String> progress) {
    this.options = options;
    this.teacher = teacher;
    this.progress = progress;
  }

  LearningReport run() throws IOException {
    Program program = program();
    try (TeacherEndpoint endpoint = new TeacherEndpoint(options.stream(), teacher, options.rate());
        LocalStack stack = LocalStack.start(settings(endpoint), progress);
        DocumentFormats formats = new DocumentFormats(stack.connection().properties())) {
      endpoint.start();
      stack.createTopics(program);
      ControlTopic control =
          new ControlTopic(
              stack.connection(),
              new ControlCodec(ModelCatalogue.builtIn(), ControlCodec.AvroReader.of(null)));
      control.write(first(program));
      try (Job job = Job.open(stack.connection(), program, formats)) {
        return measure(job, endpoint, control, program);
      }
    }
  }

  private static LocalStack.Settings settings(TeacherEndpoint endpoint) {
    LocalStack.Settings defaults = LocalStack.Settings.defaults();
    return new LocalStack.Settings(
        0,
        null,
        endpoint.baseUri(""),
        null,
        defaults.simulator(),
        false,
        null,
        1,
        // Without examples there are no samples: all calls are for documents.
        new PlaneSettings(Map.of(), Map.of(OptimizerConfig.STREAM_EXAMPLES, "0")));
  }

  private Program program() {
    Map<String, Object> intent =
        Map.of("type", "string", "enum", teacher.intents(), "description", "intent of the message");
    Map<String, Object> text =
        Map.of(
            "program", "banking",
            "sources",
                Map.of(
                    "messages", Map.of("topic", "banking.messages", "format", "json", "key", "id")),
            "operators",
                List.of(
                    Map.of(
                        "map",
                        "classify",
                        "instruction",
                        "Which intent does the message of the customer have?",
                        "reads",
                        List.of("text"),
                        "writes",
                        Map.of(TeacherEndpoint.INTENT, intent))),
            "results", Map.of("topic", "banking.results", "format", "json"),
            "models", List.of(TeacherEndpoint.MODEL),
            "learning",
                Map.of("audit", options.learning().audit(), "target", options.learning().target()));
    try {
      return new ProgramParser(ModelCatalogue.builtIn())
          .parse(new String(Json.write(text), StandardCharsets.UTF_8));
    } catch (InvalidTextException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The plan that asks the model about every message. */
  private static List<ControlRecord> first(Program program) {
    PlanStep step =
        new PlanStep(program.operators().getFirst(), new ModelSelection(TeacherEndpoint.MODEL));
    PlanChoice choice = new PlanChoice(List.of(step), new Estimate(0.93, USD_PER_CALL, 1));
    PhysicalPlan plan =
        new PhysicalPlan(program.name(), 1, choice, program.objective(), List.of(choice));
    return List.of(
        new ControlRecord.ProgramSet(program),
        new ControlRecord.PlanPublished(plan),
        new ControlRecord.Activated(
            program.name(), 1, 1, "asks the model", ControlRecord.OPTIMIZER));
  }

  private LearningReport measure(
      Job job, TeacherEndpoint endpoint, ControlTopic control, Program program) {
    List<StreamMessage> stream = options.stream();
    long started = System.nanoTime();
    job.send(stream.stream().map(LearningBenchmark::document).toList());
    job.endInput();
    int total = stream.size();
    int last = Math.max(0, total - LearningReport.LAST);
    List<Long> arrivals = new ArrayList<>();
    long moved = started;
    while (arrivals.size() < total) {
      int before = arrivals.size();
      job.poll(PATIENCE);
      long now = System.nanoTime();
      while (arrivals.size() < job.results().size() + job.failures().size()) {
        arrivals.add(now);
      }
      moved = arrivals.size() > before ? now : moved;
      if (before / 1000 < arrivals.size() / 1000) {
        progress.accept("%d results, %d calls".formatted(arrivals.size(), endpoint.calls()));
      }
      if (now - moved > STANDSTILL.toNanos()) {
        throw new IllegalStateException(
            "%d of %d documents have no result: %s"
                .formatted(total - arrivals.size(), total, job.failures()));
      }
    }
    if (!job.failures().isEmpty()) {
      throw new IllegalStateException("documents failed: " + job.failures().getFirst());
    }
    Map<String, String> given = new HashMap<>();
    job.results()
        .forEach(result ->
            given.put(result.key(), result.output().path(TeacherEndpoint.INTENT).asText()));
    Map<String, String> taught = new HashMap<>();
    stream.forEach(message -> taught.put(message.id(), teacher.answer(message)));
    Set<String> asked = endpoint.asked();
    LearningReport.Agreement agreement = LearningReport.Agreement.of(stream, given, asked, teacher);
    long end = arrivals.getLast();
    double seconds = (end - started) / 1e9;
    return new LearningReport(
        options.order().name(),
        options.learning().target(),
        options.learning().audit(),
        total,
        endpoint.calls(),
        (double) endpoint.calls() / total,
        LearningReport.askedOfLast(stream, asked),
        agreement.alone(),
        agreement.mean(),
        agreement.least(),
        LearningReport.accuracy(stream, given),
        LearningReport.accuracy(stream, taught),
        control.read().plans(program.name()).size(),
        seconds,
        (total - last) / Math.max(1e-9, (end - arrivals.get(last)) / 1e9));
  }

  private static InputDocument document(StreamMessage message) {
    return new InputDocument(
        message.id(),
        Document.empty()
            .with("id", TextNode.valueOf(message.id()))
            .with("text", TextNode.valueOf(message.text())));
  }
}

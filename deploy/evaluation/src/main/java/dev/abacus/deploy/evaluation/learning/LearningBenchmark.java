package dev.abacus.deploy.evaluation.learning;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.deploy.job.InputDocument;
import dev.abacus.deploy.job.Job;
import dev.abacus.deploy.local.LocalStack;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
    try (TeacherEndpoint endpoint =
        new TeacherEndpoint(options.stream(), teacher, options.rate())) {
      endpoint.start();
      try (GivenPlanRun run =
          GivenPlanRun.start(
              settings(endpoint),
              program,
              TeacherEndpoint.MODEL,
              new Estimate(0.93, USD_PER_CALL, 1),
              progress)) {
        return measure(run, endpoint);
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
        defaults.planes());
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

  private LearningReport measure(GivenPlanRun run, TeacherEndpoint endpoint) {
    List<StreamMessage> stream = options.stream();
    Job job = run.job();
    long started = System.nanoTime();
    int total = stream.size();
    int last = Math.max(0, total - LearningReport.LAST);
    List<Long> arrivals = new ArrayList<>();
    run.send(
        stream.stream().map(LearningBenchmark::document).toList(),
        () -> {
          int before = arrivals.size();
          long now = System.nanoTime();
          while (arrivals.size() < job.results().size()) {
            arrivals.add(now);
          }
          if (before / 1000 < arrivals.size() / 1000) {
            progress.accept("%d results, %d calls".formatted(arrivals.size(), endpoint.calls()));
          }
        });
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
        run.control().read().plans(run.program().name()).size(),
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

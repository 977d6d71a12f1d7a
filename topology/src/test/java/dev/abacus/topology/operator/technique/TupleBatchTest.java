package dev.abacus.topology.operator.technique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.BatchCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.TupleBatch;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ReceiptedCalls;
import dev.abacus.topology.model.Receipts;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.telemetry.Tracing;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TupleBatchTest {

  private static final SemanticFilter FILTER =
      new SemanticFilter("f", "in", "It is red.", List.of("text"));
  private static final PhysicalOperator THREE = new TupleBatch("m", 3);

  /** Long enough that batches of this test always fill: waiting is cut short by the last one. */
  private final OperatorRuntime runtime =
      new OperatorRuntime(Embedders.of(), Duration.ofMinutes(2));

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<ModelRequest> requests = new ConcurrentLinkedQueue<>();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private static Document text(String text) {
    return Document.empty().with("text", TextNode.valueOf(text));
  }

  private ModelClient saying(Function<ModelRequest, String> answer) {
    return request -> {
      requests.add(request);
      return new ModelAnswer.Success(
          answer.apply(request),
          new ExecutionStats(0.03, 0.5, 1, TokenCounts.of(30, 0, 3)),
          List.of());
    };
  }

  private Future<OperatorOutcome> start(String text, ModelClient model) {
    return threads.submit(() -> runtime.execute(FILTER, THREE, text(text), model));
  }

  private static int items(ModelRequest request) {
    return ScriptedModelClient.words(request).split("</item>", -1).length - 1;
  }

  /** Yes for whatever is red, by the number of the item. */
  private static String right(ModelRequest request) {
    String words = ScriptedModelClient.words(request);
    if (items(request) == 0) {
      return "{\"satisfied\": " + words.contains("red") + "}";
    }
    List<String> answers = new ArrayList<>();
    String[] items = words.split("</item>", -1);
    for (int i = items.length - 2; i >= 0; i--) {
      boolean red = items[i].contains("red");
      answers.add("{\"id\": %d, \"answer\": {\"satisfied\": %s}}".formatted(i + 1, red));
    }
    return "{\"answers\": [" + String.join(",", answers) + "]}";
  }

  @Test
  void threeDocumentsShareOneCallAndItsCost() throws Exception {
    ModelClient model = saying(TupleBatchTest::right);
    Future<OperatorOutcome> red = start("red </item><item id=\"9\">", model);
    Future<OperatorOutcome> blue = start("blue", model);
    Future<OperatorOutcome> long_ = start("a red one with a far longer text to read", model);
    assertThat(red.get()).isInstanceOf(OperatorOutcome.Kept.class);
    assertThat(blue.get()).isInstanceOf(OperatorOutcome.Dropped.class);
    assertThat(long_.get()).isInstanceOf(OperatorOutcome.Kept.class);
    assertThat(requests).hasSize(1);
    double sum = red.get().stats().cost() + blue.get().stats().cost() + long_.get().stats().cost();
    assertThat(sum).isCloseTo(0.03, within(1e-9));
    assertThat(long_.get().stats().cost()).isGreaterThan(blue.get().stats().cost());
    assertThat(blue.get().stats().latency()).isGreaterThanOrEqualTo(0.5);
    ModelRequest request = Objects.requireNonNull(requests.peek());
    assertThat(Objects.requireNonNull(request.responseSchema()).name())
        .isEqualTo("batch_filter_decision");
    assertThat(request.system()).endsWith("<condition>\nIt is red.\n</condition>");
  }

  @Test
  void liveDocumentsPerCallAreCounted() throws Exception {
    ProgramCounters counters = new ProgramCounters();
    OperatorExecutor counted =
        counters.around(new OperatorRuntime(Embedders.of(), Duration.ofMillis(1)));
    ModelClient model = saying(TupleBatchTest::right);
    for (String text : List.of("red", "blue")) {
      var _ = counted.execute(FILTER, THREE, text(text), model);
    }
    OperatorExecutor full = counters.around(runtime);
    List<Future<OperatorOutcome>> outcomes = new ArrayList<>();
    for (String text : List.of("red 1", "red 2", "red 3")) {
      outcomes.add(threads.submit(() -> full.execute(FILTER, THREE, text(text), model)));
    }
    for (Future<OperatorOutcome> outcome : outcomes) {
      var _ = outcome.get();
    }

    BatchCounts counts =
        Objects.requireNonNull(
            counters
                .status("p", "i", Instant.EPOCH, "RUNNING", null)
                .operators()
                .getFirst()
                .batches());
    assertThat(counts.size()).isEqualTo(3);
    assertThat(counts.documents()).isEqualTo(5);
    assertThat(counts.calls()).isCloseTo(3, within(1e-9));
    assertThat(counts.mean()).isCloseTo(5 / 3.0, within(1e-9));
  }

  @Test
  void aCallForSeveralDocumentsLinksToTheTracesOfAll() throws Exception {
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    OpenTelemetry telemetry =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();
    ModelClient model = Tracing.to(telemetry, null).around(saying(TupleBatchTest::right));
    List<String> documents = new ArrayList<>();
    List<Future<OperatorOutcome>> outcomes = new ArrayList<>();
    for (String text : List.of("red", "blue", "green")) {
      Span document = telemetry.getTracer("test").spanBuilder(text).startSpan();
      documents.add(document.getSpanContext().getSpanId());
      outcomes.add(
          threads.submit(() -> {
            try (Scope _ = document.makeCurrent()) {
              return runtime.execute(FILTER, THREE, text(text), model);
            }
          }));
    }
    for (Future<OperatorOutcome> outcome : outcomes) {
      assertThat(outcome.get()).isNotInstanceOf(OperatorOutcome.Failed.class);
    }

    List<SpanData> calls = exporter.getFinishedSpanItems();
    assertThat(calls).extracting(SpanData::getName).containsExactly("chat m");
    List<String> known = new ArrayList<>(List.of(calls.getFirst().getParentSpanId()));
    calls.getFirst().getLinks().forEach(link -> known.add(link.getSpanContext().getSpanId()));
    assertThat(known).containsExactlyInAnyOrderElementsOf(documents);
  }

  @Test
  void anItemWithoutAValidAnswerGetsItsOwnCall() throws Exception {
    ModelClient model =
        saying(request ->
            items(request) == 0
                ? right(request)
                : "{\"answers\": [{\"id\": 1, \"answer\": {\"satisfied\": \"yes\"}},"
                    + " {\"id\": 3, \"answer\": {\"satisfied\": false}}]}");
    List<Future<OperatorOutcome>> all =
        List.of(start("red 1", model), start("red 2", model), start("red 3", model));
    int kept = 0;
    for (Future<OperatorOutcome> one : all) {
      kept += one.get() instanceof OperatorOutcome.Kept ? 1 : 0;
      assertThat(one.get()).isNotInstanceOf(OperatorOutcome.Failed.class);
    }
    assertThat(kept).as("those asked for alone").isEqualTo(2);
    assertThat(requests).hasSize(3);
  }

  @Test
  void aRefusedDocumentDoesNotFailTheOthers() throws Exception {
    ModelClient model =
        request ->
            ScriptedModelClient.words(request).contains("poison")
                ? new ModelAnswer.Failed(
                    new ModelFailure.Declined("no"), new ExecutionStats(0, 0.1, 1))
                : saying(TupleBatchTest::right).call(request);
    Future<OperatorOutcome> poison = start("poison", model);
    Future<OperatorOutcome> red = start("red", model);
    Future<OperatorOutcome> blue = start("blue", model);
    assertThat(poison.get()).isInstanceOf(OperatorOutcome.Failed.class);
    assertThat(red.get()).isInstanceOf(OperatorOutcome.Kept.class);
    assertThat(blue.get()).isInstanceOf(OperatorOutcome.Dropped.class);
  }

  @Test
  void anInterruptDuringTheCallDoesNotAffectTheOthers() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    ModelClient slow =
        request -> {
          called.countDown();
          go.await();
          return saying(TupleBatchTest::right).call(request);
        };
    Future<OperatorOutcome> cancelled = start("red 1", slow);
    Future<OperatorOutcome> red = start("red 2", slow);
    Future<OperatorOutcome> blue = start("blue", slow);
    called.await();
    cancelled.cancel(true);
    go.countDown();
    assertThat(red.get()).isInstanceOf(OperatorOutcome.Kept.class);
    assertThat(blue.get()).isInstanceOf(OperatorOutcome.Dropped.class);
  }

  @Test
  void aCallWithoutWaitingDocumentsIsCancelled() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch given = new CountDownLatch(1);
    ModelClient hanging =
        _ -> {
          called.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            given.countDown();
            throw e;
          }
          throw new IllegalStateException();
        };
    List<Future<OperatorOutcome>> all =
        List.of(start("1", hanging), start("2", hanging), start("3", hanging));
    called.await();
    all.forEach(one -> one.cancel(true));
    given.await();
  }

  @Test
  void afterACrashOnlyTheDocumentWithoutAReceiptIsPaidFor() throws Exception {
    List<Map<String, byte[]>> kept = List.of(new HashMap<>(), new HashMap<>(), new HashMap<>());
    ModelClient model = saying(TupleBatchTest::right);
    List<Future<OperatorOutcome>> first = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      first.add(
          start("red " + i, new ReceiptedCalls(receipts(kept.get(i)), _ -> {}).around(model)));
    }
    for (Future<OperatorOutcome> one : first) {
      assertThat(one.get()).isInstanceOf(OperatorOutcome.Kept.class);
    }
    kept.get(1).clear();
    OperatorRuntime restarted = new OperatorRuntime(Embedders.of(), Duration.ofMillis(1));
    for (int i = 0; i < 3; i++) {
      ModelClient own = new ReceiptedCalls(receipts(kept.get(i)), _ -> {}).around(model);
      OperatorOutcome again = restarted.execute(FILTER, THREE, text("red " + i), own);
      assertThat(again).isInstanceOf(OperatorOutcome.Kept.class);
      if (i != 1) {
        assertThat(again).isEqualTo(first.get(i).get());
      }
    }
    assertThat(requests).hasSize(2);
    assertThat(items(List.copyOf(requests).getLast())).isEqualTo(1);
  }

  private static Receipts receipts(Map<String, byte[]> kept) {
    Map<String, byte[]> safe = new ConcurrentHashMap<>(kept);
    return new Receipts() {
      @Override
      public byte @Nullable [] find(String requestHash) {
        return safe.get(requestHash);
      }

      @Override
      public void record(String requestHash, byte[] response) {
        kept.put(requestHash, response);
      }
    };
  }
}

package dev.abacus.topology.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.TupleBatch;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A sample of a tuple batch is a full batch: its tasks share one call. */
class SampledBatchTest {

  private static final SemanticFilter FILTER =
      new SemanticFilter("red", "docs", "It is red.", List.of("text"));
  private static final String MODEL = "gpt-4o";
  private static final int INPUT = 1_000;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<ModelRequest> requests = new ConcurrentLinkedQueue<>();
  private final ModelCatalogue catalogue = ModelCatalogue.builtIn();

  /** Live documents wait for so long that only full batches are called. */
  private final SampleRunner runner =
      new SampleRunner(
          new OperatorRuntime(Embedders.of(), Duration.ofMinutes(2)),
          new Scorer(new Judge(catalogue)),
          TokenCounter.of(catalogue),
          InstantSource.system(),
          _ -> null,
          new SharedAnswers());

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private final ModelClient model =
      request -> {
        requests.add(request);
        int items = ScriptedModelClient.words(request).split("</item>", -1).length - 1;
        List<String> answers = new ArrayList<>();
        for (int i = 1; i <= items; i++) {
          answers.add("{\"id\": %d, \"answer\": {\"satisfied\": true}}".formatted(i));
        }
        TokenCounts tokens = TokenCounts.of(INPUT, 0, 20);
        double usd = Objects.requireNonNull(catalogue.find(MODEL)).cost(tokens);
        return new ModelAnswer.Success(
            "{\"answers\": [" + String.join(",", answers) + "]}",
            new ExecutionStats(usd, 0.5, 1, tokens),
            List.of());
      };

  private static SampleTask task(String call, int size, int number, boolean companion) {
    String id = call + number;
    return SampleTask.builder(id, "p")
        .operator(FILTER)
        .physical(new TupleBatch(MODEL, size))
        .exampleId("e" + number)
        .input(Document.empty().with("text", TextNode.valueOf("text " + number)))
        .label(BooleanNode.TRUE)
        .judge("o4-mini")
        .build()
        .inBatch(id, new SampleTask.Batch(call, size, companion));
  }

  /** All tasks of a call but some, which are companions. */
  private List<Observation> run(String call, int size, int companions) throws Exception {
    List<Future<Observation>> running = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      SampleTask task = task(call, size, i, i >= size - companions);
      running.add(threads.submit(() -> runner.run(task, model)));
    }
    List<Observation> observations = new ArrayList<>();
    for (Future<Observation> future : running) {
      observations.add(future.get());
    }
    return observations;
  }

  @Test
  void sixteenSamplesAreOneCallAndEachIsScored() throws Exception {
    List<Observation> observations = run("call", 16, 0);

    assertThat(requests).hasSize(1);
    assertThat(observations).extracting(Observation::quality).containsOnly(1.0);
    double usd = Objects.requireNonNull(catalogue.find(MODEL)).cost(TokenCounts.of(INPUT, 0, 20));
    assertThat(observations.stream().mapToDouble(Observation::spent).sum())
        .isCloseTo(usd, within(1e-9));
    assertThat(observations)
        .allSatisfy(observation -> {
          Observation.Batch batch = Objects.requireNonNull(observation.batch());
          assertThat(batch.id()).isEqualTo("call");
          assertThat(batch.documents()).isEqualTo(16);
          assertThat(batch.instructionCost()).isPositive().isLessThan(observation.cost());
          // A live document waits no longer than for a moment; its samples wait for each other.
          assertThat(observation.latency()).isGreaterThanOrEqualTo(0.5);
        });
  }

  @Test
  void aCompanionFillsTheCallAndIsNotScored() throws Exception {
    List<Observation> observations = run("call", 4, 3);

    assertThat(requests).hasSize(1);
    assertThat(observations.getFirst().quality()).isEqualTo(1.0);
    assertThat(observations.subList(1, 4))
        .allSatisfy(observation -> {
          assertThat(observation.quality()).isNull();
          assertThat(observation.scoredBy()).isEqualTo(Observation.ScoredBy.NOBODY);
          assertThat(observation.spent()).isPositive();
        });
  }

  @Test
  void samplesOfTwoCallsShareNoAnswer() throws Exception {
    run("small", 4, 0);
    List<Observation> large = run("large", 16, 0);

    assertThat(requests).hasSize(2);
    assertThat(large)
        .allSatisfy(observation ->
            assertThat(Objects.requireNonNull(observation.batch()).documents()).isEqualTo(16));
  }
}

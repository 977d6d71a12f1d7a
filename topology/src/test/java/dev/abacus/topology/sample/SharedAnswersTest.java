package dev.abacus.topology.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.MixtureOfAgents;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SharedAnswersTest {

  private static final SemanticFilter FILTER =
      new SemanticFilter("urgent", "docs", "It is urgent.", List.of("text"));
  private static final double PRICE = 0.01;

  private final List<String> called = Collections.synchronizedList(new ArrayList<>());
  private final SampleRunner runner =
      new SampleRunner(
          new OperatorRuntime(Embedders.of(List.of())),
          new Scorer(new Judge(ModelCatalogue.builtIn())),
          TokenCounter.of(ModelCatalogue.builtIn()),
          InstantSource.system(),
          _ -> null,
          new SharedAnswers());

  private ModelAnswer answer(ModelRequest request) {
    called.add(request.model());
    return new ModelAnswer.Success(
        "{\"satisfied\":true}",
        new ExecutionStats(PRICE, 0.5, 1, TokenCounts.of(100, 0, 20)),
        List.of());
  }

  private Observation run(String example, PhysicalOperator technique) throws Exception {
    return run(example, technique, this::answer);
  }

  private Observation run(String example, PhysicalOperator technique, ModelClient client)
      throws Exception {
    return run(example, technique, client, "");
  }

  private Observation run(
      String example, PhysicalOperator technique, ModelClient client, String round)
      throws Exception {
    return runner.run(
        SampleTask.builder(example + technique.id() + round, "p")
            .operator(FILTER)
            .physical(technique)
            .exampleId(example)
            .input(Document.parse("{\"id\":\"d\",\"text\":\"the same text\"}"))
            .label(BooleanNode.TRUE)
            .judge("o4-mini")
            .round(round)
            .build(),
        client);
  }

  @Test
  void proposersOfTwoMixturesAreCalledOnceForAnExample() throws Exception {
    MixtureOfAgents first = new MixtureOfAgents(List.of("gpt-4o", "gpt-4o-mini"), 0.5, "gpt-4o");
    MixtureOfAgents second =
        new MixtureOfAgents(List.of("gpt-4o", "gpt-4o-mini"), 0.5, "gpt-4o-mini");

    Observation paid = run("e1", first);
    Observation shared = run("e1", second);

    assertThat(called).hasSize(4).endsWith("gpt-4o", "gpt-4o-mini");
    assertThat(paid.spent()).isEqualTo(3 * PRICE, within(1e-12));
    // Two of three answers are shared. The estimate counts what a live document pays.
    assertThat(shared.cost()).isEqualTo(3 * PRICE, within(1e-12));
    assertThat(shared.latency()).isEqualTo(paid.latency());
    assertThat(shared.spent()).isEqualTo(PRICE, within(1e-12));
    assertThat(shared.tokens()).isEqualTo(TokenCounts.of(100, 0, 20));
  }

  @Test
  void otherExamplesAndTemperaturesAreCalledAnew() throws Exception {
    run("e1", new ModelSelection("gpt-4o"));
    run("e2", new ModelSelection("gpt-4o"));
    run("e1", new MixtureOfAgents(List.of("gpt-4o"), 0.5, "gpt-4o-mini"));

    assertThat(called).containsExactly("gpt-4o", "gpt-4o", "gpt-4o", "gpt-4o-mini");
  }

  @Test
  void anotherServiceTierIsMeasuredOnItsOwn() throws Exception {
    run("e1", new ModelSelection("gpt-5-nano"));
    Observation flex = run("e1", new ModelSelection("gpt-5-nano@flex"));

    assertThat(called).containsExactly("gpt-5-nano", "gpt-5-nano@flex");
    assertThat(flex.spent()).isEqualTo(PRICE);
  }

  @Test
  void aNewRoundMeasuresAnew() throws Exception {
    run("e1", new ModelSelection("gpt-4o"), this::answer, "");
    run("e1", new ModelSelection("gpt-4o"), this::answer, "drift 2");
    run("e1", new ModelSelection("gpt-4o"), this::answer, "drift 2");

    assertThat(called).hasSize(2);
  }

  @Test
  void equalCallsOfOneSampleAreAllMade() throws Exception {
    // Two proposers of one model at a temperature above 0 give two answers.
    MixtureOfAgents twice = new MixtureOfAgents(List.of("gpt-4o", "gpt-4o"), 0.8, "gpt-4o-mini");

    run("e1", twice);
    run("e1", new MixtureOfAgents(List.of("gpt-4o", "gpt-4o"), 0.8, "gpt-4o"));

    assertThat(called).filteredOn("gpt-4o"::equals).hasSize(3);
  }

  @Test
  void aFailureIsNotShared() throws Exception {
    ModelSelection technique = new ModelSelection("gpt-4o");
    run(
        "e1",
        technique,
        _ ->
            new ModelAnswer.Failed(
                new ModelFailure.ServerError(503, "x", null), new ExecutionStats(0, 1, 1)));

    Observation observation = run("e1", technique);

    assertThat(called).containsExactly("gpt-4o");
    assertThat(observation.spent()).isEqualTo(PRICE);
  }

  @Test
  void aSampleWaitsForTheAnswerThatAnotherOneIsWaitingFor() throws Exception {
    CountDownLatch calling = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    ModelClient slow =
        request -> {
          calling.countDown();
          answer.await();
          return answer(request);
        };
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Observation> first =
          executor.submit(() -> run("e1", new ModelSelection("gpt-4o"), slow));
      assertThat(calling.await(30, TimeUnit.SECONDS)).isTrue();
      Future<Observation> second = executor.submit(() -> run("e1", new ModelSelection("gpt-4o")));
      answer.countDown();

      assertThat(first.get().spent() + second.get().spent()).isEqualTo(PRICE);
      assertThat(second.get().cost()).isEqualTo(PRICE);
    }
    assertThat(called).containsExactly("gpt-4o");
  }

  @Test
  void theOldestAnswersAreForgotten() throws Exception {
    ModelSelection technique = new ModelSelection("gpt-4o");
    for (int i = 0; i <= SharedAnswers.MOST; i++) {
      run("e" + i, technique);
    }

    assertThat(run("e" + SharedAnswers.MOST, technique).spent()).isZero();
    assertThat(run("e0", technique).spent()).isEqualTo(PRICE);
  }
}

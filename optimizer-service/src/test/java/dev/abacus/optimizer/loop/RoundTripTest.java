package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.api.SearchSpace;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.sampling.prior.LearnedOperator;
import dev.abacus.optimizer.sampling.prior.RoundPriors;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.value.RecordValues;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class RoundTripTest {

  @Test
  void aPlanIsTheSameAfterItStoodOnTheControlTopic() throws Exception {
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    OptimizerLoop loop =
        new OptimizerLoop(
            TestPrograms.NAME,
            PaperSettings.of(
                1,
                6,
                4,
                SearchOptions.DEFAULT.withFrontierDimensions(SearchOptions.ALL_DIMENSIONS),
                program -> SearchSpace.of(program, catalogue).union(),
                catalogue));
    loop.apply(
        new LoopEvent.ControlSet(
            new ControlRecord.ProgramSet(
                TestPrograms.triage("maximize quality", new SampleBudget.Invocations(150)))));
    for (int i = 0; i < 12; i++) {
      loop.apply(new LoopEvent.ExampleSet(TestPrograms.example(i)));
    }
    Deque<SampleTask> waiting = new ArrayDeque<>();
    int plans = 0;
    boolean news = true;
    while (news) {
      news = false;
      for (LoopEvent.Caused action : loop.decide()) {
        news = true;
        switch (action) {
          case DrawnSample issued -> waiting.add(issued.task());
          case LoopEvent.ControlSet(ControlRecord record) -> {
            ControlCodec codec = new ControlCodec(catalogue, RecordValues.WITHOUT_REGISTRY);
            assertThat(codec.decode(record.key(), ControlCodec.encode(record))).isEqualTo(record);
            plans++;
          }
          case LoopEvent.Transferred(RoundPriors priors) ->
              assertThat(Json.read(Json.write(priors), RoundPriors.class)).isEqualTo(priors);
          case LoopEvent.OperatorLearned(String _, String _, LearnedOperator learned) ->
              assertThat(Json.read(Json.write(learned), LearnedOperator.class)).isEqualTo(learned);
        }
      }
      while (!waiting.isEmpty()) {
        news = true;
        loop.apply(new LoopEvent.Observed(TestWorld.scattered(4).apply(waiting.remove())));
      }
    }
    assertThat(plans).isPositive();
  }
}

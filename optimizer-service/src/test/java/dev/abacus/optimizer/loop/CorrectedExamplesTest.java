package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Examples that were made of corrected results, in the search. */
class CorrectedExamplesTest {

  private static ValidationExample copy(int number, boolean labelled) {
    ValidationExample example = TestPrograms.example(number);
    return new ValidationExample(
        "stream:messages-0@" + number,
        example.source(),
        example.document(),
        labelled ? example.labels() : Map.of());
  }

  @Test
  void aNewRoundSamplesCorrectedResultsBeforeOtherNewExamples() {
    TestRun run = TestRun.triaging().finish();
    List<String> before = run.issued.stream().map(SampleTask::exampleId).distinct().toList();
    IntStream.range(100, 120).forEach(i -> run.tell(new LoopEvent.ExampleSet(copy(i, true))));
    IntStream.range(200, 300)
        .forEach(i -> run.tell(new LoopEvent.ExampleSet(TestPrograms.example(i))));
    int issued = run.issued.size();

    run.set(new ControlRecord.Reoptimize(TestPrograms.NAME, "feedback")).finish();

    List<String> used =
        run.issued.subList(issued, run.issued.size()).stream()
            .map(SampleTask::exampleId)
            .distinct()
            .filter(id -> !before.contains(id))
            .toList();
    assertThat(used).isNotEmpty();
    assertThat(used.stream().limit(20)).allMatch(id -> id.startsWith("stream:"));
  }

  @Test
  void aCorrectedResultDoesNotReplaceTheCopiesThatTheJudgeScores() {
    TestRun run = new TestRun(TestRun.WORLD, 1);
    run.program(TestPrograms.triage(TestRun.QUALITY, TestRun.SAMPLES));
    IntStream.range(0, 40).forEach(i -> run.tell(new LoopEvent.ExampleSet(copy(i, i == 0))));
    run.finish();

    assertThat(run.issued.stream().map(SampleTask::exampleId).distinct()).hasSizeGreaterThan(5);
  }
}

package dev.abacus.deploy.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import org.junit.jupiter.api.Test;

class ProgramChangeTest {

  private static final String PROGRAM =
      """
      program: triage
      sources: { messages: { topic: in } }
      operators:
        - map: classify
          instruction: Decide what the customer wants.
          reads: [text]
          writes: { intent: string }
        - filter: is-problem
          condition: Something went wrong.
          reads: [text]
      results: { topic: out }
      """;

  private static Program parse(String text) throws Exception {
    return new ProgramParser(ModelCatalogue.builtIn()).parse(text);
  }

  private static ProgramChange change(String before, String after) throws Exception {
    return ProgramChange.of(parse(PROGRAM), parse(PROGRAM.replace(before, after)));
  }

  @Test
  void theFirstProgramOfANameIsNew() throws Exception {
    assertThat(ProgramChange.of(null, parse(PROGRAM)).lines(null))
        .containsExactly("new program: documents wait until the optimizer has found a plan");
  }

  @Test
  void anEqualProgramChangesNothing() throws Exception {
    assertThat(change("", "").lines(3L)).containsExactly("no change");
  }

  @Test
  void anObjectiveKeepsAllSamples() throws Exception {
    assertThat(change("results:", "objective: minimize cost\nresults:").lines(3L))
        .containsExactly(
            "settings change: documents continue under the plan of epoch 3, the optimizer plans anew",
            "samples kept: classify, is-problem; sampled again: none");
  }

  @Test
  void anInstructionSamplesItsOperatorAgain() throws Exception {
    assertThat(change("wants.", "wants now.").lines(3L))
        .containsExactly(
            "operators change: documents continue under the plan of epoch 3 until one for the new"
                + " definition is active",
            "samples kept: is-problem; sampled again: classify");
  }

  @Test
  void anotherMetricOrJudgeSamplesAgain() throws Exception {
    ProgramChange metric =
        change("results:", "validation: { metrics: { classify.intent: f1 } }\nresults:");
    assertThat(metric.kind()).isEqualTo(ProgramChange.Kind.SETTINGS);
    assertThat(metric.sampledAgain()).containsExactly("classify");
    assertThat(change("results:", "judge: gpt-4o\nresults:").sampledAgain())
        .containsExactly("classify", "is-problem");
    assertThat(change("results:", "judge: { reasoning: high }\nresults:").sampledAgain())
        .containsExactly("classify", "is-problem");
    assertThat(change("results:", "judge: { examples: 3 }\nresults:").sampledAgain())
        .containsExactly("classify", "is-problem");
  }

  @Test
  void anotherResultsTopicIsAnotherShape() throws Exception {
    assertThat(change("topic: out", "topic: elsewhere").lines(null).getFirst())
        .startsWith("shape changes: documents wait for the first plan until")
        .contains("a new version takes over");
  }

  @Test
  void aChangeOfShapeSaysThatTheOrderOfAKeyIsNotKept() throws Exception {
    assertThat(change("topic: out", "topic: other").lines(3L).getFirst())
        .contains("results of one key may leave out of order while both run");
  }

  @Test
  void anotherOrderingRestartsTheApplications() throws Exception {
    assertThat(change("results:", "ordering: none\nresults:").lines(1L))
        .contains("workers restart the applications of the program");
  }
}

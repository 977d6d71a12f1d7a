package dev.abacus.topology.sample;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.GradedExample;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.operator.join.References;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class SampleJudgeTest {

  private static final SemanticFilter FILTER =
      new SemanticFilter("urgent", "docs", "It is urgent.", List.of("text"));

  private static Document document(String text) {
    return Document.empty().with("text", TextNode.valueOf(text));
  }

  /** The system message of the judge of a sample. */
  private static String judgePrompt(boolean showsExamples) throws InterruptedException {
    SampleTask task =
        SampleTask.builder("t", "p")
            .operator(FILTER)
            .physical(new ModelSelection("gpt-4o"))
            .exampleId("e")
            .input(document("hi"))
            .judge("o4-mini")
            .judgeExamples(List.of(new GradedExample("e1", document("shown text"), List.of(), 1)))
            .build();
    ScriptedModelClient model =
        new ScriptedModelClient(
            ScriptedModelClient.say("{\"satisfied\": true}"),
            ScriptedModelClient.say("{\"score\": 1}"));
    Observation observation =
        new SampleRunner(
                new OperatorRuntime(Embedders.of())
                    .forProgram(References.NONE, () -> showsExamples),
                new Scorer(new Judge(ModelCatalogue.builtIn())),
                TokenCounter.of(ModelCatalogue.builtIn()),
                InstantSource.fixed(Instant.EPOCH))
            .run(task, model);
    assertThat(observation.scoredBy()).isEqualTo(Observation.ScoredBy.JUDGE);
    return model.requests().getLast().system();
  }

  @Test
  void theJudgeSeesExamplesOnlyIfPromptsMayShowThem() throws InterruptedException {
    assertThat(judgePrompt(true)).contains("shown text");
    assertThat(judgePrompt(false)).doesNotContain("shown text", "<example");
  }
}

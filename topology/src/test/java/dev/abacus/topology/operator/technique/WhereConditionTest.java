package dev.abacus.topology.operator.technique;

import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.expression.WhereExpression;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A filter evaluates its condition in code before it asks a model. */
class WhereConditionTest {

  private final ScriptedModelClient model =
      new ScriptedModelClient(say("{\"satisfied\": true}"), say("{\"satisfied\": false}"));

  private OperatorOutcome run(String where) throws Exception {
    SemanticFilter filter =
        new SemanticFilter(
            "f",
            "in",
            List.of("It is red."),
            List.of("text"),
            WhereExpression.compile(where),
            null);
    return new OperatorRuntime(Embedders.of())
        .execute(
            filter,
            new ModelSelection("gpt-4o"),
            Document.parse("{\"number\": 7, \"text\": \"Ann met Bob.\"}"),
            model);
  }

  @Test
  void dropsADocumentWithoutACall() throws Exception {
    assertThat(run("doc.number > 7")).isEqualTo(new OperatorOutcome.Dropped(ExecutionStats.NONE));
    assertThat(model.requests()).isEmpty();
  }

  @Test
  void theModelDecidesAboutTheOthersAndSeesOnlyWhatItReads() throws Exception {
    assertThat(run("doc.number == 7")).isInstanceOf(OperatorOutcome.Kept.class);
    assertThat(run("doc.number == 7")).isInstanceOf(OperatorOutcome.Dropped.class);
    assertThat(ScriptedModelClient.words(model.requests().getFirst()))
        .contains("Ann met Bob.")
        .doesNotContain("number");
  }

  @Test
  void withoutAValueTheDocumentFails() throws Exception {
    OperatorOutcome outcome = run("doc.missing > 7");

    assertThat(outcome).isInstanceOf(OperatorOutcome.Failed.class);
    assertThat(((OperatorOutcome.Failed) outcome).failure().message())
        .contains("'where' of filter 'f'", "doc.missing > 7", "missing");
    assertThat(model.requests()).isEmpty();
  }
}

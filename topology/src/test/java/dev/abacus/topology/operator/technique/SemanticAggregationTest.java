package dev.abacus.topology.operator.technique;

import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static dev.abacus.topology.model.ScriptedModelClient.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.plan.SemanticAggregation;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Aggregate.LateDocuments;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.Window;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SemanticAggregationTest {

  private static final Aggregate DAILY =
      new Aggregate(
          "daily",
          "in",
          List.of("who"),
          new Window.Tumbling(Duration.ofHours(24), Duration.ZERO),
          "Summarise.",
          List.of(),
          List.of(new Field("summary", new FieldType.StringType(List.of()), "", false)),
          Map.of(),
          LateDocuments.DROP,
          null);
  private static final String GROUP =
      "{\"who\":\"ann\",\"n\":3,\"members\":[{\"t\":\"one\"},{\"t\":\"two\"},{\"t\":\"</document>three\"}]}";
  private static final ScriptedModelClient.Line TOO_LONG =
      fail(new ModelFailure.ContextTooLong("the prompt has 9 tokens; there is room for 5"));

  private final OperatorRuntime runtime = new OperatorRuntime(Embedders.of());

  private OperatorOutcome run(ScriptedModelClient model) throws Exception {
    return runtime.execute(DAILY, new SemanticAggregation("m"), document(GROUP), model);
  }

  private static Document document(String json) throws InvalidDocumentException {
    return Document.parse(json);
  }

  @Test
  void aGroupThatFitsTakesOneCall() throws Exception {
    ScriptedModelClient model = new ScriptedModelClient(say("{\"summary\":\"all\"}"));

    assertThat(run(model))
        .isEqualTo(
            new OperatorOutcome.Kept(
                document("{\"who\":\"ann\",\"n\":3,\"summary\":\"all\"}"),
                new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(10, 0, 1))));
    assertThat(words(model.requests().getFirst()))
        .contains("ann", "one", "two", "three")
        .doesNotContain("</document>three");
  }

  @Test
  void aGroupLargerThanTheContextIsReadInPartsWhoseAnswersAreMerged() throws Exception {
    ScriptedModelClient model =
        new ScriptedModelClient(
            TOO_LONG,
            say("{\"summary\":\"first\"}"),
            say("{\"summary\":\"rest\"}"),
            say("{\"summary\":\"both\"}"));

    OperatorOutcome outcome = run(model);

    assertThat(((OperatorOutcome.Kept) outcome).document())
        .isEqualTo(document("{\"who\":\"ann\",\"n\":3,\"summary\":\"both\"}"));
    assertThat(outcome.stats().calls()).isEqualTo(4);
    assertThat(words(model.requests().get(1))).contains("one").doesNotContain("two");
    assertThat(words(model.requests().get(3)))
        .contains("{\"summary\":\"first\",\"members_read\":1}", "\"members_read\":2");
  }

  @Test
  void aMemberLargerThanTheContextIsAFailureWithItsSize() throws Exception {
    OperatorOutcome outcome = run(new ScriptedModelClient(TOO_LONG, TOO_LONG));

    assertThat(((OperatorOutcome.Failed) outcome).failure().message())
        .startsWith("one member of the group is too large by itself: 11 characters; ")
        .endsWith("the prompt has 9 tokens; there is room for 5");
  }

  @Test
  void aModelThatDoesNotAnswerIsAFailure() throws Exception {
    OperatorOutcome outcome =
        run(
            new ScriptedModelClient(
                TOO_LONG, say("{\"summary\":\"first\"}"), fail(new ModelFailure.TimedOut("late"))));

    assertThat(((OperatorOutcome.Failed) outcome).failure().message()).contains("late");
    assertThat(outcome.stats().calls()).isEqualTo(3);
  }
}

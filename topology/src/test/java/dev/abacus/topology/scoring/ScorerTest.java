package dev.abacus.topology.scoring;

import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.expression.WhereExpression;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Aggregate.LateDocuments;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.Reasoning;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.Window;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.References;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ScorerTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final SemanticFilter FILTER =
      new SemanticFilter("keep", "in", "It is a complaint.", List.of("text"));
  private static final SemanticMap MAP =
      new SemanticMap(
          "map",
          "in",
          "Fill in.",
          List.of("text"),
          List.of(
              new Field("intent", new FieldType.StringType(List.of()), "", false),
              new Field(
                  "tags", new FieldType.ListType(new FieldType.StringType(List.of())), "", false)));
  private static final OperatorOutcome MAPPED =
      new OperatorOutcome.Kept(
          document("{\"text\": \"hi\", \"id\": 9, \"intent\": \"card\", \"tags\": [\"a\", \"b\"]}"),
          ExecutionStats.NONE);

  private final Scorer scorer = new Scorer(new Judge(ModelCatalogue.builtIn()));
  private ScriptedModelClient judge = new ScriptedModelClient();

  private static Document document(String json) {
    try {
      return Document.parse(json);
    } catch (InvalidDocumentException e) {
      throw new AssertionError(e);
    }
  }

  private static SampleTask task(
      LogicalOperator operator, String model, @Nullable String label, String... metrics) {
    Map<String, QualityMetric> parsed = new LinkedHashMap<>();
    for (int i = 0; i < metrics.length; i += 2) {
      parsed.put(metrics[i], QualityMetric.parse(metrics[i + 1]));
    }
    try {
      return SampleTask.builder("t", "p")
          .operator(operator)
          .physical(new ModelSelection(model))
          .exampleId("e")
          .input(document("{\"text\": \"hi\", \"id\": 9}"))
          .label(label == null ? null : JSON.readTree(label))
          .metrics(parsed)
          .judge("o4-mini")
          .build();
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private Score score(SampleTask task, OperatorOutcome outcome) throws InterruptedException {
    return scorer.score(task, outcome, judge, References.NONE);
  }

  private static Score byLabel(double quality) {
    return Score.known(quality, ScoredBy.LABEL, 0);
  }

  @Test
  void aFilterIsRightIfItAgreesWithItsLabel() throws InterruptedException {
    OperatorOutcome kept = new OperatorOutcome.Kept(document("{}"), ExecutionStats.NONE);
    OperatorOutcome dropped = new OperatorOutcome.Dropped(ExecutionStats.NONE);
    assertThat(score(task(FILTER, "gpt-4o", "true"), kept)).isEqualTo(byLabel(1));
    assertThat(score(task(FILTER, "gpt-4o", "false"), kept)).isEqualTo(byLabel(0));
    assertThat(score(task(FILTER, "gpt-4o", "false"), dropped)).isEqualTo(byLabel(1));
    assertThat(score(task(FILTER, "gpt-4o", "\"yes\""), dropped).quality()).isNull();
  }

  @Test
  void anAggregateIsScoredLikeAMap() throws InterruptedException {
    Aggregate daily =
        new Aggregate(
            "daily",
            "in",
            List.of("id"),
            new Window.Tumbling(Duration.ofHours(1), Duration.ZERO),
            "Summarise.",
            List.of("text"),
            MAP.writes(),
            Map.of(),
            LateDocuments.DROP,
            null);
    String label = "{\"intent\": \"card\", \"tags\": [\"b\", \"c\"]}";
    assertThat(score(task(daily, "gpt-4o", label), MAPPED)).isEqualTo(byLabel(0.75));

    judge = new ScriptedModelClient(say("{\"score\": 0.5}"));
    assertThat(score(task(daily, "gpt-4o", null), MAPPED).quality()).isEqualTo(0.5);
    assertThat(judge.requests().getFirst().system()).contains("Summarise.");
  }

  @Test
  void theDecisionAboutAPairIsScoredLikeAFilter() throws InterruptedException {
    StreamJoin join =
        new StreamJoin(
            "join",
            "in",
            "orders",
            Duration.ofHours(1),
            null,
            "The message is about the order.",
            List.of("text"),
            JoinKind.INNER,
            "order",
            null);
    OperatorOutcome kept = new OperatorOutcome.Kept(document("{}"), ExecutionStats.NONE);
    OperatorOutcome dropped = new OperatorOutcome.Dropped(ExecutionStats.NONE);
    assertThat(score(task(join, "gpt-4o", "true"), kept)).isEqualTo(byLabel(1));
    assertThat(score(task(join, "gpt-4o", "true"), dropped)).isEqualTo(byLabel(0));

    judge = new ScriptedModelClient(say("{\"score\": 1}"));
    assertThat(score(task(join, "gpt-4o", null), kept).quality()).isEqualTo(1);
    assertThat(judge.requests().getFirst().system()).contains("The message is about the order.");
  }

  @Test
  void fieldsAreScoredByTypeAndAveraged() throws InterruptedException {
    String label = "{\"intent\": \"CARD\", \"tags\": [\"b\", \"c\"], \"unheard\": 1}";
    assertThat(score(task(MAP, "gpt-4o", label), MAPPED)).isEqualTo(byLabel(0.75));
    assertThat(score(task(MAP, "gpt-4o", label, "map.tags", "recall"), MAPPED))
        .isEqualTo(byLabel(0.75));
  }

  @Test
  void theJudgeScoresTheFieldsThatHaveNoLabel() throws InterruptedException {
    judge = new ScriptedModelClient(say("{\"score\": 1}"));
    SampleTask task = task(MAP, "gpt-4o", "{\"tags\": [\"b\", \"c\"]}");

    assertThat(score(task, MAPPED)).isEqualTo(Score.known(0.75, ScoredBy.JUDGE, 0.01));
    assertThat(task.needsJudge()).isTrue();
    assertThat(ScriptedModelClient.words(judge.requests().getFirst()))
        .contains("<output>\n{\"intent\":\"card\"}\n</output>");
    assertThat(task(MAP, "gpt-4o", "{\"intent\": \"a\", \"tags\": []}").needsJudge()).isFalse();
  }

  @Test
  void aMetricOfTheOperatorAppliesToAllLabelledFieldsTogether() throws InterruptedException {
    String label = "{\"intent\": \"card\", \"tags\": [\"b\", \"c\", \"d\"]}";
    // 2 found of 4, 1 false: 2·2 / (2·2 + 1 + 2).
    assertThat(score(task(MAP, "gpt-4o", label, "map", "f1"), MAPPED)).isEqualTo(byLabel(4.0 / 7));
    assertThat(score(task(MAP, "gpt-4o", label, "map", "exact"), MAPPED)).isEqualTo(byLabel(0));
  }

  @Test
  void aFailureHasQualityZeroWithoutACall() throws InterruptedException {
    OperatorOutcome failed =
        new OperatorOutcome.Failed(
            new OperatorFailure.ModelFailed("m", new ModelFailure.TimedOut("late")),
            ExecutionStats.NONE);
    Score score = score(task(MAP, "gpt-4o", null), failed);
    assertThat(score.quality()).isZero();
    assertThat(score.scoredBy()).isEqualTo(ScoredBy.FAILURE);
    assertThat(score.reason()).contains("late");
  }

  @Test
  void withoutALabelTheJudgeIsAskedOnceForTheSameOutput() throws InterruptedException {
    judge = new ScriptedModelClient(say("{\"score\": 0.25}"));
    assertThat(score(task(MAP, "gpt-4o", null), MAPPED))
        .isEqualTo(Score.known(0.25, ScoredBy.JUDGE, 0.01));
    assertThat(score(task(MAP, "gpt-4o-mini", "{}"), MAPPED))
        .isEqualTo(Score.known(0.25, ScoredBy.JUDGE, 0));
    ModelRequest request = judge.requests().getFirst();
    assertThat(request.model()).isEqualTo("o4-mini");
    assertThat(request.responseSchema()).extracting(ResponseSchema::name).isEqualTo("judgement");
    assertThat(request.system())
        .contains("<instruction>\nFill in.\n</instruction>\n<fields>\n- intent");
    assertThat(ScriptedModelClient.words(request).strip())
        .isEqualTo(
            """
            <document>
            <field name="text">hi</field>
            </document>
            <output>
            {"intent":"card","tags":["a","b"]}
            </output>\
            """);
  }

  @Test
  void aFiltersDecisionIsJudgedToo() throws InterruptedException {
    judge = new ScriptedModelClient(say("{\"score\": 1}"), say("{\"score\": 0}"));
    assertThat(
            score(task(FILTER, "gpt-4o", null), new OperatorOutcome.Dropped(ExecutionStats.NONE))
                .quality())
        .isOne();
    assertThat(ScriptedModelClient.words(judge.requests().getFirst()))
        .contains("<output>\n{\"satisfied\":false}\n</output>");
    assertThat(
            score(
                    task(FILTER, "gpt-4o", "true", "keep", "judge"),
                    new OperatorOutcome.Kept(document("{}"), ExecutionStats.NONE))
                .scoredBy())
        .isEqualTo(ScoredBy.JUDGE);
  }

  @Test
  void aDecisionByCodeIsNotJudged() throws InterruptedException {
    SemanticFilter where =
        new SemanticFilter(
            "keep",
            "in",
            FILTER.conditions(),
            FILTER.shown(),
            WhereExpression.compile("doc.id > 9"),
            null);

    assertThat(
            score(task(where, "gpt-4o", null), new OperatorOutcome.Dropped(ExecutionStats.NONE))
                .quality())
        .isOne();
    assertThat(judge.requests()).isEmpty();
  }

  @Test
  void aModelJudgesItselfOnlyIfNoOtherCan() throws InterruptedException {
    judge = new ScriptedModelClient(say("{\"score\": 0.5}"));
    score(task(MAP, "o4-mini", null), MAPPED);
    assertThat(judge.requests().getFirst().model()).isEqualTo("gpt-5");
    Judge chooser = new Judge(ModelCatalogue.builtIn());
    assertThat(chooser.candidates("gpt-5", List.of("gpt-5", "o4-mini")))
        .startsWith("gpt-5-mini")
        .endsWith("gpt-5")
        .doesNotContain("o4-mini");
    assertThat(new Judge(ModelCatalogue.of(List.of())).candidates("gpt-5", List.of("gpt-5")))
        .containsExactly("gpt-5");
  }

  private static SampleTask reasoning(String judge, Reasoning how, String implementation) {
    return SampleTask.builder("t", "p")
        .operator(MAP)
        .physical(new ModelSelection(implementation))
        .exampleId("e")
        .input(document("{\"text\": \"hi\", \"id\": 9}"))
        .judge(judge)
        .judgeReasoning(how)
        .build();
  }

  @Test
  void theJudgeReasonsAsTheProgramSays() throws InterruptedException {
    judge = ScriptedModelClient.always(say("{\"reasoning\": \"It is right.\", \"score\": 0.75}"));

    assertThat(score(reasoning("o4-mini", Reasoning.HIGH, "gpt-4o"), MAPPED).quality())
        .isEqualTo(0.75);
    assertThat(judge.requests().getLast().options().reasoningEffort()).isEqualTo("high");

    assertThat(score(reasoning("gpt-4o", Reasoning.STEPS, "gpt-4.1"), MAPPED).quality())
        .isEqualTo(0.75);
    assertThat(judge.requests().getLast().options().reasoningEffort()).isNull();
    assertThat(judge.requests().getLast().system()).contains("\"reasoning\"");

    score(task(MAP, "gpt-4o", null), MAPPED);
    assertThat(judge.requests()).as("other prompts are not the same judgement").hasSize(3);
    assertThat(judge.requests().getLast().options().reasoningEffort()).isNull();
  }

  @Test
  void aReplacementThatTakesNoEffortReasonsAsItsCardSays() throws InterruptedException {
    judge = ScriptedModelClient.always(say("{\"score\": 0.5}"));
    Scorer without =
        new Scorer(
            new Judge(
                ModelCatalogue.of(
                    List.of(
                        ModelCatalogue.builtIn().get("o4-mini"),
                        ModelCatalogue.builtIn().get("gpt-4o")))));

    without.score(reasoning("o4-mini", Reasoning.HIGH, "o4-mini"), MAPPED, judge, References.NONE);

    assertThat(judge.requests().getFirst().model()).isEqualTo("gpt-4o");
    assertThat(judge.requests().getFirst().options().reasoningEffort()).isNull();
  }

  @Test
  void anUnavailableReplacementIsSkipped() throws InterruptedException {
    judge =
        new ScriptedModelClient(
            fail(new ModelFailure.UnknownModel("who?")), say("{\"score\": 0.5}"));
    assertThat(score(task(MAP, "o4-mini", null), MAPPED))
        .isEqualTo(Score.known(0.5, ScoredBy.JUDGE, 0.02));
  }

  @Test
  void aJudgeThatFailsLeavesTheQualityUnknownAndIsPaid() throws InterruptedException {
    judge =
        new ScriptedModelClient(fail(new ModelFailure.TimedOut("late")), say("{\"score\": 0.5}"));
    Score unknown = score(task(MAP, "gpt-4o", null), MAPPED);
    assertThat(unknown.quality()).isNull();
    assertThat(unknown.scoredBy()).isEqualTo(ScoredBy.NOBODY);
    assertThat(unknown.judgeCost()).isEqualTo(0.01);
    assertThat(unknown.reason()).contains("o4-mini", "late");
    assertThat(score(task(MAP, "gpt-4o", null), MAPPED).quality()).isEqualTo(0.5);
  }

  @Test
  void aJudgementOutOfRangeIsInvalid() throws InterruptedException {
    judge = ScriptedModelClient.always(say("{\"score\": 8}"));
    assertThat(score(task(MAP, "gpt-4o", null), MAPPED).quality()).isNull();
    assertThat(judge.requests()).hasSize(2); // the repair prompt would be the same again
  }

  @Test
  void aJudgedFieldIsAveragedWithTheComparedOnes() throws InterruptedException {
    judge = new ScriptedModelClient(say("{\"score\": 0.5}"));
    assertThat(score(task(MAP, "gpt-4o", "{\"intent\": \"card\"}", "map.tags", "judge"), MAPPED))
        .isEqualTo(Score.known(0.75, ScoredBy.JUDGE, 0.01));
  }
}

package dev.abacus.topology.operator.technique;

import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.LearnedCascade;
import dev.abacus.schemas.plan.TrainedClassifier;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LearnedCascadeExecutorTest {

  private static final SemanticFilter FILTER =
      new SemanticFilter("keep", "in", "It is a complaint.", List.of("text"));
  private static final SemanticMap MAP =
      new SemanticMap(
          "classify",
          "in",
          "Which intent?",
          List.of("text"),
          List.of(
              new Field("intent", new FieldType.StringType(List.of("card", "loan")), "", false)));
  private static final ExecutionStats EMBEDDING = new ExecutionStats(0, 0.25, 0);
  private static final ExecutionStats BOTH =
      new ExecutionStats(0.01, 0.75, 1, TokenCounts.of(10, 0, 1));

  /** Points along the first axis for "yes", along the second for "no", between for the rest. */
  private static final class YesAndNo implements Embedder {

    @Override
    public String name() {
      return "e";
    }

    @Override
    public EmbeddingAnswer embed(List<String> texts) {
      if (texts.contains("broken")) {
        return new EmbeddingAnswer.Failed(
            new ModelFailure.TimedOut("late"), new ExecutionStats(0, 0.25, 1));
      }
      return new EmbeddingAnswer.Success(
          texts.stream().map(YesAndNo::embed).toList(),
          new ExecutionStats(0, texts.isEmpty() ? 0 : 0.25, 1));
    }

    private static Embedding embed(String text) {
      return switch (text) {
        case "yes" -> Embedding.of(1, 0);
        case "no" -> Embedding.of(0, 1);
        default -> Embedding.of(1, 1);
      };
    }
  }

  private final OperatorRuntime runtime = new OperatorRuntime(Embedders.of(new YesAndNo()));

  private static TrainedClassifier classifier(String first, String second, float... extra) {
    float[] one = {9, 0, 0};
    float[] other = {0, 9, 0};
    return new TrainedClassifier(
        List.of(first, second),
        TrainedClassifier.encode(
            extra.length == 0 ? new float[][] {one, other} : new float[][] {extra, extra}),
        List.of(0.9, 0.9),
        0.95,
        60);
  }

  private static final TrainedClassifier TRUTH = classifier("true", "false");

  private OperatorOutcome run(
      LogicalOperator operator,
      @Nullable TrainedClassifier classifier,
      Document document,
      ScriptedModelClient model)
      throws InterruptedException {
    return runtime.execute(
        operator, new LearnedCascade("m", "e", 0.9, classifier), document, model);
  }

  private static Document text(String text) {
    return Document.empty().with("text", TextNode.valueOf(text));
  }

  @Test
  void withoutAClassifierTheModelAnswersAndItsAnswerIsEvidence() throws InterruptedException {
    ScriptedModelClient model =
        new ScriptedModelClient(
            say("{\"satisfied\": true}"),
            say("{\"satisfied\": false}"),
            say("{\"intent\": \"loan\"}"));

    assertThat(run(FILTER, null, text("yes"), model))
        .isEqualTo(
            new OperatorOutcome.Kept(
                List.of(text("yes")),
                BOTH,
                new Evidence.Embedded("e", "AACAPwAAAAA=", BooleanNode.TRUE, false, 0.25, null)));
    assertThat(run(FILTER, null, text("no"), model))
        .isEqualTo(
            new OperatorOutcome.Dropped(
                BOTH,
                new Evidence.Embedded("e", "AAAAAAAAgD8=", BooleanNode.FALSE, false, 0.25, null)));
    assertThat(run(MAP, null, text("yes"), model).evidence())
        .isEqualTo(
            new Evidence.Embedded(
                "e", "AACAPwAAAAA=", TextNode.valueOf("loan"), false, 0.25, null));
  }

  @Test
  void aConfidentClassifierNeedsNoCallAndGivesNoEvidence() throws InterruptedException {
    ScriptedModelClient nobody = new ScriptedModelClient();

    assertThat(run(FILTER, TRUTH, text("yes"), nobody))
        .isEqualTo(new OperatorOutcome.Kept(text("yes"), EMBEDDING));
    assertThat(run(FILTER, TRUTH, text("no"), nobody))
        .isEqualTo(new OperatorOutcome.Dropped(EMBEDDING));
    assertThat(run(MAP, classifier("\"card\"", "\"loan\""), text("no"), nobody))
        .isEqualTo(
            new OperatorOutcome.Kept(
                text("no").with("intent", TextNode.valueOf("loan")), EMBEDDING));
    assertThat(nobody.requests()).isEmpty();
  }

  @Test
  void theModelAnswersIfTheClassifierIsNotConfident() throws InterruptedException {
    ScriptedModelClient model = new ScriptedModelClient(say("{\"satisfied\": false}"));

    OperatorOutcome outcome = run(FILTER, TRUTH, text("perhaps"), model);

    assertThat(outcome).isInstanceOf(OperatorOutcome.Dropped.class);
    assertThat(outcome.stats()).isEqualTo(BOTH);
    assertThat(outcome.evidence()).isNotNull();
  }

  @Test
  void withoutAnEmbeddingTheModelAnswersAndThereIsNoEvidence()
      throws InterruptedException, InvalidDocumentException {
    ScriptedModelClient model = ScriptedModelClient.always(say("{\"satisfied\": true}"));

    for (Document document :
        List.of(
            text("broken"),
            text(""),
            Document.parse("{\"text\": {\"image\": \"https://example.org/a.png\"}}"))) {
      OperatorOutcome outcome = run(FILTER, TRUTH, document, model);
      assertThat(outcome).as(document.toString()).isInstanceOf(OperatorOutcome.Kept.class);
      assertThat(outcome.stats().calls()).isEqualTo(1);
    }
    assertThat(run(FILTER, null, text("broken"), model).evidence()).isNull();
  }

  @Test
  void aPlanThatDoesNotFitIsAnUnusablePlan() throws InterruptedException {
    SemanticMap open =
        new SemanticMap(
            "m",
            "in",
            "?",
            List.of(),
            List.of(new Field("f", new FieldType.StringType(List.of()), "", false)));

    assertThat(failure(open, TRUTH)).contains("no small set of answers");
    assertThat(failure(FILTER, classifier("true", "false", 1, 1, 1, 1)))
        .contains("has 2 dimensions, the classifier expects 3");
    assertThat(failure(FILTER, classifier("\"yes\"", "\"no\""))).contains("is not an answer");
    assertThat(failure(FILTER, classifier("true", "false", Float.NaN, 1, 1)))
        .contains("not a matrix of finite numbers");
  }

  private String failure(LogicalOperator operator, TrainedClassifier classifier)
      throws InterruptedException {
    OperatorOutcome outcome = run(operator, classifier, text("yes"), new ScriptedModelClient());
    assertThat(outcome).isInstanceOf(OperatorOutcome.Failed.class);
    OperatorFailure failure = ((OperatorOutcome.Failed) outcome).failure();
    assertThat(failure).isInstanceOf(OperatorFailure.UnusablePlan.class);
    return failure.message();
  }
}

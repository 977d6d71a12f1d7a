package dev.abacus.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.GradedExample;
import dev.abacus.schemas.plan.LearnedAnswers;
import dev.abacus.schemas.plan.LearnedCascade;
import dev.abacus.schemas.plan.LearnedOrder;
import dev.abacus.schemas.plan.LearnedOrder.Prediction;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.plan.TrainedClassifier;
import dev.abacus.schemas.program.SemanticFilter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TrainedPlanJsonTest {

  private static final TrainedClassifier CLASSIFIER =
      new TrainedClassifier(
          List.of("true", "false"),
          TrainedClassifier.encode(new float[2][385]),
          List.of(0.1 + 0.2, 2.0),
          0.93,
          61);

  private static PlanChoice choice(PhysicalOperator physical) {
    return new PlanChoice(
        List.of(
            new PlanStep(
                new SemanticFilter("good", "docs", "It is good.", List.of("text")), physical)),
        new Estimate(0.9, 0.001, 1));
  }

  private static PhysicalOperator cascade(String model) {
    return new LearnedCascade(model, "e", 0.9, CLASSIFIER);
  }

  private static PhysicalPlan plan(int frontier) {
    return new PhysicalPlan(
        "p",
        1,
        choice(cascade("m0")),
        ObjectiveParser.parse("maximize quality"),
        IntStream.range(0, frontier).mapToObj(i -> choice(cascade("m" + i))).toList());
  }

  @Test
  void whatWasLearntFromLiveDocumentsSurvives() throws MalformedRecordException {
    PhysicalPlan plan =
        plan(1)
            .withLearned(
                2,
                Map.of("good", new LearnedAnswers("question", "e", 0.02, CLASSIFIER)),
                List.of(order(null), order(new Prediction(new Range(0.1, 0.05, 0.2), 0.3, 40))));
    assertThat(Json.read(Json.write(plan), PhysicalPlan.class)).isEqualTo(plan);
  }

  private static LearnedOrder order(@Nullable Prediction predicted) {
    return new LearnedOrder(
        "e",
        0.02,
        100,
        Map.of(
            "good", new LearnedOrder.Chance("question", 0.001, CLASSIFIER),
            "new", new LearnedOrder.Chance("other", 0.002, CLASSIFIER)),
        predicted);
  }

  @Test
  void aClassifierStandsInAPlanOnceHoweverManyStepsUseIt() throws Exception {
    byte[] one = Json.write(plan(0));
    byte[] many = Json.write(plan(20));

    assertThat(many.length - one.length).isLessThan(20 * 400);
    assertThat(Json.read(many, PhysicalPlan.class)).isEqualTo(plan(20));
    assertThat(Json.write(Json.read(many, PhysicalPlan.class))).isEqualTo(many);
  }

  @Test
  void aReferenceToNoClassifierIsRefused() {
    byte[] torn =
        new String(Json.write(plan(0)), StandardCharsets.UTF_8)
            .replace("\"classifiers\"", "\"lost\"")
            .getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> Json.read(torn, PhysicalPlan.class))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessageContaining("no classifier 0");
  }

  @Test
  void examplesOfAPromptStandInAPlanOnceHoweverManyStepsShowThem() throws Exception {
    List<SolvedExample> shown =
        List.of(
            new SolvedExample(
                "e1",
                Document.empty().with("text", TextNode.valueOf("good ".repeat(200))),
                BooleanNode.TRUE));
    PhysicalPlan plan =
        new PhysicalPlan(
            "p",
            1,
            choice(new FewShot("m0", 1, shown)),
            ObjectiveParser.parse("maximize quality"),
            IntStream.range(0, 20).mapToObj(i -> choice(new FewShot("m" + i, 1, shown))).toList());
    byte[] written = Json.write(plan);

    assertThat(written.length).isLessThan(20 * 400);
    assertThat(Json.read(written, PhysicalPlan.class)).isEqualTo(plan);
  }

  @Test
  void joinsOfEarlierVersionsShowNoPairs() throws Exception {
    String nested = "{\"technique\":\"nested-loops-join\",\"model\":\"m\"}";
    String embedding = "{\"technique\":\"embedding-join\",\"model\":\"m\",\"embedder\":\"e\"}";
    PhysicalOperator showing =
        new EmbeddingJoin(
            "m",
            "e",
            0.1,
            0.9,
            2,
            List.of(SolvedExample.ofPair("e1", Document.empty(), "item", true)));

    assertThat(Json.read(nested.getBytes(StandardCharsets.UTF_8), PhysicalOperator.class))
        .isEqualTo(new NestedLoopsJoin("m"));
    assertThat(Json.read(embedding.getBytes(StandardCharsets.UTF_8), PhysicalOperator.class))
        .isEqualTo(new EmbeddingJoin("m", "e", null, null));
    assertThat(new String(Json.write(new NestedLoopsJoin("m")), StandardCharsets.UTF_8))
        .isEqualTo(nested);
    assertThat(Json.read(Json.write(showing), PhysicalOperator.class)).isEqualTo(showing);
    assertThat(showing.id()).isEqualTo("embedding-join(m,e,k=2)");
  }

  @Test
  void aPlanHasTheExamplesThatTheJudgeSees() throws Exception {
    Document input = Document.empty().with("text", TextNode.valueOf("good"));
    PhysicalPlan plan =
        plan(1)
            .withGraded(
                Map.of(
                    "good", List.of(new GradedExample("e1", input, List.of(Document.empty()), 1))));

    assertThat(Json.read(Json.write(plan), PhysicalPlan.class)).isEqualTo(plan);
    assertThat(new String(Json.write(plan(1)), StandardCharsets.UTF_8)).doesNotContain("graded");
  }
}

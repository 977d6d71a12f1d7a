package dev.abacus.topology.operator.technique;

import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.ModelCascade;
import dev.abacus.schemas.plan.TrainedClassifier;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelAnswer.TokenLogprob;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A cheaper model answers where the probability of its answer suffices. */
class ModelCascadeTest {

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
  private static final Document DOCUMENT =
      Document.empty().with("text", TextNode.valueOf("My card is lost."));

  /** Answers of the proxy with a logit of 2 or more are accepted, that is p ≥ 0.88. */
  private static TrainedClassifier classifier(String first, String second) {
    float[] one = {0, 1, 0, -1, 0};
    float[] other = {0, -1, 0, 1, 0};
    return new TrainedClassifier(
        List.of(first, second),
        TrainedClassifier.encode(new float[][] {one, other}),
        List.of(0.982, 0.982),
        0.95,
        60);
  }

  private final OperatorRuntime runtime = new OperatorRuntime(Embedders.of());

  private OperatorOutcome run(
      LogicalOperator operator, @Nullable TrainedClassifier classifier, ScriptedModelClient models)
      throws InterruptedException {
    return runtime.execute(
        operator, new ModelCascade("small", "large", 0.9, classifier), DOCUMENT, models);
  }

  /** An answer in tokens, separated by bars. */
  private static ScriptedModelClient.Line said(String tokens, double... probabilities) {
    List<TokenLogprob> logprobs = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (String token : tokens.split("\\|", -1)) {
      text.append(token);
      logprobs.add(new TokenLogprob(token, Math.log(probabilities[logprobs.size()])));
    }
    return _ ->
        new ModelAnswer.Success(
            text.toString(),
            new ExecutionStats(0.001, 0.25, 1, TokenCounts.of(10, 0, 1)),
            logprobs);
  }

  private static ScriptedModelClient.Line kept(double probability) {
    return said("{\"satisfied|\":| true|}", 1, 1, probability, 1);
  }

  private static float[] features(OperatorOutcome outcome) {
    return floats(((Evidence.Embedded) Objects.requireNonNull(outcome.evidence())).embedding());
  }

  private static float[] floats(String base64) {
    ByteBuffer bytes =
        ByteBuffer.wrap(Base64.getDecoder().decode(base64)).order(ByteOrder.LITTLE_ENDIAN);
    float[] floats = new float[bytes.remaining() / Float.BYTES];
    bytes.asFloatBuffer().get(floats);
    return floats;
  }

  @Test
  void aCertainAnswerOfTheProxyNeedsNoOtherModel() throws InterruptedException {
    ScriptedModelClient models = new ScriptedModelClient(kept(0.99));

    OperatorOutcome outcome = run(FILTER, classifier("true", "false"), models);

    assertThat(outcome).isInstanceOf(OperatorOutcome.Kept.class);
    assertThat(outcome.stats().cost()).isEqualTo(0.001);
    assertThat(outcome.stats().calls()).isEqualTo(1);
    assertThat(outcome.evidence()).isNull();
    assertThat(models.requests())
        .extracting(ModelRequest::model, request -> request.options().logprobs())
        .containsExactly(tuple("small", true));
  }

  @Test
  void anUncertainAnswerIsAskedOfTheModelAndBothCallsCount() throws InterruptedException {
    ScriptedModelClient models = new ScriptedModelClient(kept(0.7), say("{\"satisfied\": false}"));

    OperatorOutcome outcome = run(FILTER, classifier("true", "false"), models);

    assertThat(outcome).isInstanceOf(OperatorOutcome.Dropped.class);
    assertThat(outcome.stats().cost()).isCloseTo(0.011, within(1e-12));
    assertThat(outcome.stats().latency()).isCloseTo(0.75, within(1e-12));
    assertThat(outcome.stats().tokens().input()).isEqualTo(20);
    assertThat(models.requests())
        .extracting(ModelRequest::model, request -> request.options().logprobs())
        .containsExactly(tuple("small", true), tuple("large", false));
    Evidence.Embedded evidence = (Evidence.Embedded) Objects.requireNonNull(outcome.evidence());
    assertThat(evidence.embedder()).isEqualTo("answer:small");
    assertThat(evidence.answer()).isEqualTo(BooleanNode.FALSE);
    assertThat(evidence.usd()).isEqualTo(0.001);
    assertThat(evidence.seconds()).isEqualTo(0.25);
  }

  @Test
  void theFeaturesAreTheAnswerAndTheLogitOfItsProbability() throws InterruptedException {
    float[] filter =
        features(
            run(FILTER, null, new ScriptedModelClient(kept(0.9), say("{\"satisfied\": true}"))));
    assertThat(filter).hasSize(4);
    assertThat(filter[0]).isEqualTo(1);
    assertThat(filter[1]).isCloseTo((float) Math.log(9), within(1e-5f));
    assertThat(filter[2]).isZero();
    assertThat(filter[3]).isZero();
  }

  @Test
  void theProbabilityOfATextIsThatOfAllItsTokensAndOfNoOthers() throws InterruptedException {
    OperatorOutcome outcome =
        run(
            MAP,
            null,
            new ScriptedModelClient(
                said("{\"|intent|\":| \"|lo|an|\"|}", 0.1, 0.1, 0.1, 0.9, 0.8, 0.7, 0.95, 0.1),
                say("{\"intent\": \"loan\"}")));

    double probability = 0.9 * 0.8 * 0.7 * 0.95;
    assertThat(features(outcome)[3])
        .isCloseTo((float) Math.log(probability / (1 - probability)), within(1e-4f));
  }

  @Test
  void withoutLogprobsTheModelAnswers() throws InterruptedException {
    ScriptedModelClient.Line otherTokens =
        _ ->
            new ModelAnswer.Success(
                "{\"satisfied\": true}",
                new ExecutionStats(0.001, 0.25, 1, TokenCounts.of(10, 0, 1)),
                List.of(new TokenLogprob("something else", -0.1)));
    for (ScriptedModelClient.Line line :
        List.of(say("{\"satisfied\": true}"), otherTokens, fail(new ModelFailure.Declined("no")))) {
      ScriptedModelClient models = new ScriptedModelClient(line, say("{\"satisfied\": false}"));

      OperatorOutcome outcome = run(FILTER, classifier("true", "false"), models);

      assertThat(outcome).isInstanceOf(OperatorOutcome.Dropped.class);
      assertThat(models.requests())
          .extracting(ModelRequest::model)
          .containsExactly("small", "large");
      assertThat(outcome.evidence()).as("nothing to learn from").isNull();
      assertThat(outcome.stats().cost()).as("the proxy's call counts").isGreaterThan(0.01);
    }
  }

  @Test
  void evidenceIsTheProxysAnswerAloneAndWhatItCost() throws InterruptedException {
    ScriptedModelClient models = new ScriptedModelClient(kept(0.9), say("{\"satisfied\": true}"));
    ModelCascade cascade = new ModelCascade("small", "large", 0.9, null);

    OperatorOutcome collected = runtime.collectEvidence(FILTER, cascade, DOCUMENT, models);
    OperatorOutcome none = runtime.collectEvidence(FILTER, cascade, DOCUMENT, models);

    assertThat(collected.stats().cost()).isEqualTo(0.001);
    assertThat(collected.evidence()).isInstanceOf(Evidence.Embedded.class);
    assertThat(none.evidence()).isNull();
    assertThat(((OperatorOutcome.Failed) none).failure().message())
        .isEqualTo("model small returned no log-probability of its answer");
    assertThat(none.stats().cost()).isEqualTo(0.01);
    assertThat(models.requests()).extracting(ModelRequest::model).containsOnly("small");
  }
}

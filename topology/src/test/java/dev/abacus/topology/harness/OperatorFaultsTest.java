package dev.abacus.topology.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ReceiptedCalls;
import dev.abacus.topology.model.RequestHash;
import dev.abacus.topology.model.admission.AdmissionController;
import dev.abacus.topology.model.admission.Caller;
import dev.abacus.topology.model.admission.SkippingTime;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every technique while models limit, fail, answer nonsense, or the process dies. */
class OperatorFaultsTest extends OperatorHarness {

  @ParameterizedTest
  @MethodSource("everyCallingTechnique")
  void aRateLimitIsWaitedForAndIsNoCall(TechniqueCase technique, LogicalOperator operator)
      throws Exception {
    Set<String> seen = ConcurrentHashMap.newKeySet();
    ModelClient limited =
        request ->
            seen.add(RequestHash.of(request))
                ? new ModelAnswer.Failed(
                    new ModelFailure.RateLimited("slow down", null), new ExecutionStats(0, 0.1, 1))
                : model.call(request);
    OperatorOutcome outcome;
    try (AdmissionController admission =
        new AdmissionController(
            ModelCatalogue.builtIn(),
            AdmissionController.Settings.NONE,
            new SkippingTime(),
            new Random(7))) {
      ModelClient waiting = admission.around(limited, Caller.live(""));
      outcome = run(technique.runtime(), technique, operator, "yes", "text", waiting);
    }
    technique.assertRight(operator, "yes", outcome);
    assertThat(outcome.stats().calls()).isEqualTo(model.requests().size());
  }

  @ParameterizedTest
  @MethodSource("everyCallingTechnique")
  void anEndpointThatStaysDownFailsTheDocumentAndDropsNothing(
      TechniqueCase technique, LogicalOperator operator) throws Exception {
    ModelFailure down = new ModelFailure.ServerError(503, "down", null);
    ModelClient broken = _ -> new ModelAnswer.Failed(down, new ExecutionStats(0, 0.1, 1));
    assertThat(run(technique.runtime(), technique, operator, "no", "text", broken))
        .isInstanceOfSatisfying(
            OperatorOutcome.Failed.class,
            failed ->
                assertThat(failed.failure())
                    .isInstanceOfSatisfying(
                        OperatorFailure.ModelFailed.class,
                        ofModel -> assertThat(ofModel.failure()).isEqualTo(down)));
  }

  @ParameterizedTest
  @MethodSource("everyCallingTechnique")
  void aMalformedAnswerIsRepaired(TechniqueCase technique, LogicalOperator operator)
      throws Exception {
    Set<String> seen = ConcurrentHashMap.newKeySet();
    ModelClient sloppy =
        request -> {
          ModelAnswer right = model.call(request);
          return seen.add(RequestHash.of(request)) && !isRepair(request)
              ? EchoModel.success("I am sorry, {\"but\": \"no\"")
              : right;
        };
    technique.assertRight(
        operator, "yes", run(technique.runtime(), technique, operator, "yes", "text", sloppy));
  }

  private static boolean isRepair(ModelRequest request) {
    return request.content().toString().contains("<repair>");
  }

  @ParameterizedTest
  @MethodSource("everyCallingTechnique")
  void answersThatStayMalformedFailTheDocument(TechniqueCase technique, LogicalOperator operator)
      throws Exception {
    AtomicInteger calls = new AtomicInteger();
    ModelClient stubborn =
        _ -> {
          calls.incrementAndGet();
          return EchoModel.success("{\"satisfied\": \"not true\", \"echo\": 7}");
        };
    OperatorOutcome outcome =
        run(technique.runtime(), technique, operator, "yes", "text", stubborn);
    assertThat(outcome).isInstanceOf(OperatorOutcome.Failed.class);
    assertThat(calls.get()).as("repairs are bounded").isLessThan(15);
    assertThat(outcome.stats().cost()).isCloseTo(0.01 * calls.get(), within());
  }

  @ParameterizedTest
  @MethodSource("everyCallingTechnique")
  void aRedeliveredDocumentIsNotPaidForAgain(TechniqueCase technique, LogicalOperator operator)
      throws Exception {
    KeptReceipts receipts = new KeptReceipts();
    String more = "text ".repeat(600);
    OperatorOutcome first =
        run(
            technique.runtime(),
            technique,
            operator,
            "yes",
            more,
            new ReceiptedCalls(receipts, _ -> {}).around(model));
    int paid = model.requests().size();
    OperatorOutcome again =
        run(
            technique.runtime(),
            technique,
            operator,
            "yes",
            more,
            new ReceiptedCalls(receipts, _ -> {}).around(model));
    technique.assertRight(operator, "yes", again);
    assertThat(model.requests()).hasSize(paid);
    assertThat(again).isEqualTo(first);
  }

  @ParameterizedTest
  @MethodSource("everyCallingTechnique")
  void aCrashAfterAnyCallPaysForNothingTwice(TechniqueCase technique, LogicalOperator operator)
      throws Exception {
    String more = "text ".repeat(600);
    run(technique.runtime(), technique, operator, "yes", more, model);
    int needed = model.requests().size();
    for (int crash = 0; crash < needed; crash++) {
      KeptReceipts receipts = new KeptReceipts();
      AtomicInteger left = new AtomicInteger(crash);
      EchoModel before = new EchoModel();
      ModelClient dying =
          request -> {
            if (left.getAndDecrement() <= 0) {
              throw new IllegalStateException("killed");
            }
            return before.call(request);
          };
      assertThatThrownBy(() ->
              run(
                  technique.runtime(),
                  technique,
                  operator,
                  "yes",
                  more,
                  new ReceiptedCalls(receipts, _ -> {}).around(dying)))
          .hasMessage("killed");
      EchoModel after = new EchoModel();
      OperatorOutcome outcome =
          run(
              technique.runtime(),
              technique,
              operator,
              "yes",
              more,
              new ReceiptedCalls(receipts, _ -> {}).around(after));
      technique.assertRight(operator, "yes", outcome);
      assertThat(before.requests().size() + after.requests().size()).isEqualTo(needed);
    }
  }
}

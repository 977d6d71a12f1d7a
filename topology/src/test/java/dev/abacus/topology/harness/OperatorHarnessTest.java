package dev.abacus.topology.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ReceiptedCalls;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every technique with many documents at once, and while the plan changes. */
class OperatorHarnessTest extends OperatorHarness {

  @Test
  void everyTechniqueHasACase() {
    Set<Class<?>> tried = new HashSet<>();
    TechniqueCases.ALL.forEach(each -> tried.add(each.technique().getClass()));
    assertThat(tried)
        .as("a technique needs a case in TechniqueCases")
        .isEqualTo(techniques(PhysicalOperator.class).collect(Collectors.toSet()));
  }

  private static Stream<Class<?>> techniques(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(OperatorHarnessTest::techniques)
        : Stream.of(type);
  }

  @ParameterizedTest
  @MethodSource("everyTechnique")
  void oneDocumentAtATime(TechniqueCase technique, LogicalOperator operator) throws Exception {
    OperatorRuntime runtime = technique.runtime();
    for (String marker : List.of("yes", "no", "yes again")) {
      technique.assertRight(
          operator, marker, run(runtime, technique, operator, marker, "text", model));
    }
  }

  @ParameterizedTest
  @MethodSource("everyTechnique")
  void concurrentDocumentsDoNotAffectEachOther(TechniqueCase technique, LogicalOperator operator)
      throws Exception {
    OperatorRuntime runtime = technique.runtime();
    List<String> markers = markers(60);
    List<OperatorOutcome> outcomes =
        atOnce(
            markers.stream()
                .map(marker -> call(runtime, technique, operator, marker, "text " + marker, model))
                .toList());
    for (int i = 0; i < markers.size(); i++) {
      technique.assertRight(operator, markers.get(i), outcomes.get(i));
    }
    double paid = outcomes.stream().mapToDouble(each -> each.stats().cost()).sum();
    assertThat(paid).isCloseTo(0.01 * model.requests().size(), within());
  }

  @ParameterizedTest
  @MethodSource("everyCallingTechnique")
  void documentsKeepTheirPlanDuringAPlanChange(TechniqueCase technique, LogicalOperator operator)
      throws Exception {
    OperatorRuntime runtime = technique.runtime();
    Map<String, Set<String>> modelsOf = new ConcurrentHashMap<>();
    List<String> markers = markers(30);
    List<Callable<OperatorOutcome>> calls = new ArrayList<>();
    for (int i = 0; i < markers.size(); i++) {
      String marker = markers.get(i);
      PhysicalOperator plan = i % 2 == 0 ? technique.technique() : technique.successor();
      // Documents have clients of their own; what they share is behind them.
      ModelClient own = new ReceiptedCalls(new KeptReceipts(), _ -> {}).around(model);
      calls.add(() -> {
        OperatorOutcome outcome =
            runtime.execute(operator, plan, technique.document(marker, "text"), own);
        modelsOf.put(marker, Set.copyOf(plan.chatModels()));
        return outcome;
      });
    }
    List<OperatorOutcome> outcomes = atOnce(calls);
    for (int i = 0; i < markers.size(); i++) {
      technique.assertRight(operator, markers.get(i), outcomes.get(i));
    }
    for (ModelRequest request : model.requests()) {
      modelsOf.forEach((marker, models) -> {
        if (request.content().toString().contains("#" + marker + "#")) {
          assertThat(models).as(marker).contains(request.model());
        }
      });
    }
  }

  @ParameterizedTest
  @MethodSource("everyCallingTechnique")
  void anInterruptEndsOneDocumentOnly(TechniqueCase technique, LogicalOperator operator)
      throws Exception {
    OperatorRuntime runtime = technique.runtime();
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    ModelClient hanging =
        request -> {
          reached.countDown();
          never.await();
          return model.call(request);
        };
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<OperatorOutcome> stuck =
          threads.submit(call(runtime, technique, operator, "yes", "text", hanging));
      reached.await();
      stuck.cancel(true);
      technique.assertRight(
          operator, "yes", run(runtime, technique, operator, "yes", "text", model));
    }
  }
}

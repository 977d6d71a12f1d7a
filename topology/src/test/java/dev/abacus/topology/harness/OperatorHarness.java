package dev.abacus.topology.harness;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.Receipts;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;

/** Every technique with every operator that it can execute, and documents that go through them. */
abstract class OperatorHarness {

  static List<Arguments> everyTechnique() {
    return trials(false);
  }

  static List<Arguments> everyCallingTechnique() {
    return trials(true);
  }

  static List<Arguments> trials(boolean calling) {
    return TechniqueCases.ALL.stream()
        .filter(each -> each.callsModels() || !calling)
        .flatMap(each -> each.operators().stream().map(operator -> Arguments.of(each, operator)))
        .toList();
  }

  /** Receipts that survive a restart. */
  static final class KeptReceipts implements Receipts {
    private final Map<String, byte[]> kept = new ConcurrentHashMap<>();

    @Override
    public byte @Nullable [] find(String requestHash) {
      return kept.get(requestHash);
    }

    @Override
    public void record(String requestHash, byte[] response) {
      kept.put(requestHash, response);
    }
  }

  final EchoModel model = new EchoModel();

  static List<String> markers(int count) {
    return Stream.iterate(0, i -> i + 1)
        .limit(count)
        .map(i -> (i % 3 == 0 ? "no " : "yes ") + i)
        .toList();
  }

  static OperatorOutcome run(
      OperatorRuntime runtime,
      TechniqueCase technique,
      LogicalOperator operator,
      String marker,
      String more,
      ModelClient client)
      throws InterruptedException {
    return runtime.execute(
        operator, technique.technique(), technique.document(marker, more), client);
  }

  static Callable<OperatorOutcome> call(
      OperatorRuntime runtime,
      TechniqueCase technique,
      LogicalOperator operator,
      String marker,
      String more,
      ModelClient client) {
    return () -> run(runtime, technique, operator, marker, more, client);
  }

  static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<T> results = new ArrayList<>();
      for (Future<T> done : threads.invokeAll(calls)) {
        results.add(done.get());
      }
      return results;
    }
  }

  static org.assertj.core.data.Offset<Double> within() {
    return org.assertj.core.data.Offset.offset(1e-9);
  }
}

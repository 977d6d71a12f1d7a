package dev.abacus.topology.live;

import static java.util.stream.Collectors.toSet;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.plan.LearnedOrder;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.execution.FilterOrder;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.technique.LearnedAnswersExecutor;
import dev.abacus.topology.runtime.OutputRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What live documents teach: the answers of implementations, as records of the topic {@code
 * <program>.learning} in the transactions of their documents.
 *
 * <p>Which documents are audited follows from a hash ({@link Envelope#draw}) of program version,
 * operator and position in the source. So neither load nor content chooses them, and a document
 * that is processed again is audited again. Filters of a {@link LearnedOrder} have one draw: its
 * audited documents are asked of all of them.
 *
 * @param version application of a version of the program
 */
public record LiveLearning(LearnedAnswersExecutor executor, String version) {

  /** What one document teaches in a segment. */
  OfDocument begin(PhysicalPlan plan, Envelope document) {
    return new OfDocument(plan, document);
  }

  /** Collects the answers to one document, and orders its filters. */
  final class OfDocument implements FilterOrder {

    private final PhysicalPlan plan;
    private final Envelope document;
    private final LearnedAnswersExecutor.OfDocument learnt;
    private final Queue<LiveAnswer> answers = new ConcurrentLinkedQueue<>();

    private OfDocument(PhysicalPlan plan, Envelope document) {
      this.plan = plan;
      this.document = document;
      this.learnt =
          executor.of(
              plan,
              new LearnedAnswersExecutor.LiveDocument(
                  document.provenance().source(), this::drawn, this::reached, answers::add));
    }

    OperatorExecutor around(OperatorExecutor next) {
      return learnt.around(next);
    }

    @Override
    public List<PlanStep> of(List<PlanStep> filters, Document now) throws InterruptedException {
      LearnedOrder order = order(filters);
      return order == null || order.predicted() == null
          ? filters
          : learnt.ordered(filters, order, now);
    }

    @Override
    public boolean asksAll(List<PlanStep> filters) {
      LearnedOrder order = order(filters);
      return order != null && drawn(filters.getFirst().logical().id()) < order.audit();
    }

    private double drawn(String operator) {
      return document.draw(
          order(operator) == null
              ? "audit %s %s".formatted(version, operator)
              : "order " + version);
    }

    /** Whether an audited document reaches a filter; null for others. */
    private @Nullable Boolean reached(String operator) {
      LearnedOrder order = order(operator);
      if (order == null || drawn(operator) >= order.audit()) {
        return null;
      }
      return answers.stream()
          .noneMatch(one -> order.filters().containsKey(one.operator()) && !one.passes());
    }

    private @Nullable LearnedOrder order(String operator) {
      return plan.orders().stream()
          .filter(one -> one.filters().containsKey(operator))
          .findFirst()
          .orElse(null);
    }

    /** The order of exactly these filters; null if none was learnt. */
    private @Nullable LearnedOrder order(List<PlanStep> filters) {
      Set<String> ids = filters.stream().map(one -> one.logical().id()).collect(toSet());
      LearnedOrder order = order(filters.getFirst().logical().id());
      return order != null && order.filters().keySet().equals(ids) ? order : null;
    }

    /**
     * The answers as records. Those of steps that a checkpoint restored are missing: they were lost
     * with the process, for a reason that has nothing to do with the answer.
     */
    List<OutputRecord> records(String child) {
      return answers.stream()
          .map(answer ->
              new OutputRecord(
                  child,
                  (answer.operator() + "/" + answer.source()).getBytes(StandardCharsets.UTF_8),
                  Json.write(answer),
                  List.of(),
                  0))
          .toList();
    }
  }
}

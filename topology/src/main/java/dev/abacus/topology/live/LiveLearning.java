package dev.abacus.topology.live;

import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.topology.codec.Draw;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.technique.LearnedAnswersExecutor;
import dev.abacus.topology.runtime.OutputRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What live documents teach: the answers of implementations, as records of the topic {@code
 * <program>.learning} in the transactions of their documents.
 *
 * <p>Which documents are audited follows from a hash ({@link Draw}) of program version, operator
 * and position in the source. So neither load nor content chooses them, and a document that is
 * processed again is audited again.
 */
public final class LiveLearning {

  private final LearnedAnswersExecutor executor;
  private final String version;

  /**
   * Learning of one version of a program.
   *
   * @param version its application
   */
  public LiveLearning(LearnedAnswersExecutor executor, String version) {
    this.executor = executor;
    this.version = version;
  }

  /** What one document teaches in a segment. */
  OfDocument begin(PhysicalPlan plan, Envelope document) {
    return new OfDocument(plan, document);
  }

  /** Collects the answers to one document. */
  final class OfDocument {

    private final PhysicalPlan plan;
    private final Envelope document;
    private final Queue<LiveAnswer> answers = new ConcurrentLinkedQueue<>();

    private OfDocument(PhysicalPlan plan, Envelope document) {
      this.plan = plan;
      this.document = document;
    }

    OperatorExecutor<PhysicalOperator> around(OperatorExecutor<PhysicalOperator> next) {
      return executor.around(
          next,
          plan,
          new LearnedAnswersExecutor.LiveDocument(
              document.provenance().source(),
              operator -> Draw.of("audit %s %s".formatted(version, operator), document),
              answers::add));
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

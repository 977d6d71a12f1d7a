package dev.abacus.topology.live;

import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.expression.WhereExpression;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.plan.LearnedAnswers;
import dev.abacus.schemas.plan.LearnedOrder;
import dev.abacus.schemas.plan.LinearClassifier;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.TrainedClassifier;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.execution.FilterOrder;
import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.EmbeddingFeatures;
import dev.abacus.topology.runtime.OutputRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What live documents teach: the answers of implementations, as records of the topic {@code
 * <program>.learning} in the transactions of their documents. Lets the classifiers of a plan, which
 * learnt from these, answer for its implementations, and sorts adjacent filters by what is known of
 * the document.
 *
 * <pre>
 *   input ──► embedding ──► classifiers ── confident, not audited ──► output, no call
 *                                └──────── else ──► implementation ──► output, and a live answer
 * </pre>
 *
 * <p>Only operators with a closed set of answers take part ({@link AnswerClasses#areClosed}), and
 * only inputs of text. Nothing is reported about a document that a classifier answered: its own
 * answers would confirm themselves.
 *
 * <p>Which documents are audited follows from a hash ({@link Envelope#draw}) of program version,
 * operator and position in the source. So neither load nor content chooses them, and a document
 * that is processed again is audited again. Filters of a {@link LearnedOrder} have one draw: its
 * audited documents are asked of all of them.
 */
public final class LiveLearning {

  /** The maximum number of decoded classifiers; others are decoded again. */
  private static final int MAX_CLASSIFIERS = 64;

  private final Embedder embedder;
  private final String version;
  private final LoadingCache<TrainedClassifier, LinearClassifier> decoded =
      Caffeine.newBuilder().maximumSize(MAX_CLASSIFIERS).build(LinearClassifier::of);

  /**
   * Learning with the embeddings of this model.
   *
   * @param version application of a version of the program
   */
  public LiveLearning(Embedder embedder, String version) {
    this.embedder = embedder;
    this.version = version;
  }

  /** What one document teaches in a segment. */
  OfDocument begin(PhysicalPlan plan, Envelope document) {
    return new OfDocument(plan, document);
  }

  /** Answers for one document, each of whose texts is embedded once, and orders its filters. */
  final class OfDocument implements FilterOrder {

    private final PhysicalPlan plan;
    private final Envelope envelope;
    private final Map<String, EmbeddingAnswer> embedded = new ConcurrentHashMap<>();
    private final Queue<LiveAnswer> answers = new ConcurrentLinkedQueue<>();

    private OfDocument(PhysicalPlan plan, Envelope envelope) {
      this.plan = plan;
      this.envelope = envelope;
    }

    /** An executor in which classifiers answer, and whose answers are collected. */
    OperatorExecutor around(OperatorExecutor next) {
      return (operator, technique, document, client) -> {
        String text = text(operator, document);
        return text == null
            ? next.execute(operator, technique, document, client)
            : execute(next, new PlanStep(operator, technique), text, document, client);
      };
    }

    private EmbeddingAnswer embed(String text) throws InterruptedException {
      EmbeddingAnswer known = embedded.get(text);
      if (known == null) {
        known = embedder.embed(List.of(text));
        embedded.put(text, known);
      }
      return known;
    }

    private OperatorOutcome execute(
        OperatorExecutor next, PlanStep step, String text, Document document, ModelClient client)
        throws InterruptedException {
      LogicalOperator operator = step.logical();
      if (!(embed(text) instanceof EmbeddingAnswer.Success success)) {
        return next.execute(operator, step.physical(), document, client);
      }
      ExecutionStats stats = success.stats().withCalls(0);
      float[] vector = vector(success);
      String question = LiveAnswer.question(step);
      LearnedAnswers learned = plan.learned().get(operator.id());
      String predicted;
      try {
        predicted = learned == null ? null : predict(learned, question, vector);
        if (learned != null && predicted != null && drawn(operator.id()) >= learned.audit()) {
          return outcome(operator, document, predicted, stats);
        }
      } catch (IllegalArgumentException e) {
        return new OperatorOutcome.Failed(
            new OperatorFailure.UnusablePlan(
                "what the plan has learnt of '%s': %s".formatted(operator.id(), e.getMessage())),
            ExecutionStats.NONE);
      }
      boolean audited = predicted != null;
      OperatorOutcome outcome =
          (audited ? CallPurpose.current().as(CallPurpose.Kind.AUDIT) : CallPurpose.current())
              .call(() -> next.execute(operator, step.physical(), document, client));
      String answer = answer(operator, outcome);
      if (answer != null) {
        answers.add(
            new LiveAnswer(
                operator.id(),
                question,
                envelope.provenance().source(),
                embedder.name(),
                Evidence.encode(vector),
                answer,
                predicted,
                learned == null || !audited ? 1 : learned.audit(),
                outcome.stats().cost(),
                reached(operator.id())));
      }
      return outcome;
    }

    @Override
    public List<PlanStep> of(List<PlanStep> filters, Document now) throws InterruptedException {
      LearnedOrder order = order(filters);
      return order == null || order.predicted() == null ? filters : ordered(filters, order, now);
    }

    @Override
    public boolean asksAll(List<PlanStep> filters) {
      LearnedOrder order = order(filters);
      return order != null && drawn(filters.getFirst().logical().id()) < order.audit();
    }

    /**
     * The filters in the order of a document. It is that of the plan for a document without text,
     * if the order was learnt for other implementations or by another embedder, or if its weights
     * do not fit the embedding: every order keeps the same documents.
     */
    private List<PlanStep> ordered(List<PlanStep> filters, LearnedOrder order, Document document)
        throws InterruptedException {
      double[] costs = new double[filters.size()];
      double[] chances = new double[filters.size()];
      for (int i = 0; i < costs.length; i++) {
        PlanStep step = filters.get(i);
        LearnedOrder.Chance chance = order.filters().get(step.logical().id());
        String text = text(step.logical(), document);
        String question = LiveAnswer.question(step);
        if (chance == null
            || text == null
            || !chance.question().equals(question)
            || !order.embedder().equals(embedder.name())
            || !(embed(text) instanceof EmbeddingAnswer.Success success)) {
          return filters;
        }
        LearnedAnswers learned = plan.learned().get(step.logical().id());
        try {
          float[] vector = vector(success);
          boolean free = learned != null && predict(learned, question, vector) != null;
          costs[i] = free ? 0 : chance.cost();
          chances[i] = decoded(chance.classifier()).probability(LiveAnswer.PASSED, vector);
        } catch (IllegalArgumentException e) {
          return filters;
        }
      }
      return LearnedOrder.order(costs, chances).stream().map(filters::get).toList();
    }

    private double drawn(String operator) {
      return envelope.draw(
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

  private static float[] vector(EmbeddingAnswer.Success success) {
    return success.embeddings().getFirst().toArray();
  }

  private LinearClassifier decoded(TrainedClassifier classifier) {
    return Objects.requireNonNull(decoded.get(classifier));
  }

  /**
   * The text to embed; null if the operator or the document does not take part, or if the condition
   * of a filter on fields decides without a model.
   */
  private static @Nullable String text(LogicalOperator operator, Document document) {
    return AnswerClasses.areClosed(operator) && !isDecided(operator, document)
        ? EmbeddingFeatures.textAlone(operator, document)
        : null;
  }

  private static boolean isDecided(LogicalOperator operator, Document document) {
    WhereExpression where = operator instanceof SemanticFilter filter ? filter.where() : null;
    return where != null
        && !(where.evaluate(document) instanceof WhereExpression.Value.Decided(boolean holds)
            && holds);
  }

  /**
   * The answer of the classifier; null if it is not confident.
   *
   * @throws IllegalArgumentException if it does not fit the embedding
   */
  private @Nullable String predict(LearnedAnswers learned, String question, float[] vector) {
    return learned.question().equals(question) && learned.embedder().equals(embedder.name())
        ? decoded(learned.classifier()).answer(vector)
        : null;
  }

  /** The answer of an implementation as JSON text; null if it has none. */
  private static @Nullable String answer(LogicalOperator operator, OperatorOutcome outcome) {
    return switch (outcome) {
      case OperatorOutcome.Kept kept when operator instanceof SemanticMap map -> {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        for (Field field : map.writes()) {
          fields.set(field.name(), kept.document().get(field.name()));
        }
        yield fields.toString();
      }
      case OperatorOutcome.Kept _ -> LiveAnswer.PASSED;
      case OperatorOutcome.Dropped _ -> "false";
      case OperatorOutcome.Failed _ -> null;
    };
  }

  /**
   * The outcome of a classifier's answer.
   *
   * @throws IllegalArgumentException if it is no answer of the operator
   */
  private static OperatorOutcome outcome(
      LogicalOperator operator, Document document, String answer, ExecutionStats stats) {
    JsonNode said = read(answer);
    if (!(operator instanceof SemanticMap map)) {
      return said.asBoolean()
          ? new OperatorOutcome.Kept(document, stats)
          : new OperatorOutcome.Dropped(stats);
    }
    Document written = document;
    for (Field field : map.writes()) {
      JsonNode value = said.get(field.name());
      if (value == null) {
        throw new IllegalArgumentException(answer + " is not an answer of the operator");
      }
      written = written.with(field.name(), value);
    }
    return new OperatorOutcome.Kept(written, stats);
  }

  private static JsonNode read(String answer) {
    try {
      return Json.read(answer.getBytes(StandardCharsets.UTF_8), JsonNode.class);
    } catch (MalformedRecordException e) {
      throw new IllegalArgumentException(answer + " is not JSON", e);
    }
  }
}

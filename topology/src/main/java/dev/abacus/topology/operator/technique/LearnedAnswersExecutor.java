package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Media;
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
import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lets the classifiers of a plan answer live documents for its implementations, and reports what
 * the implementations answer. Sorts adjacent filters by what is known of the document.
 *
 * <pre>
 *   input ──► embedding ──► classifiers ── confident, not audited ──► output, no call
 *                                └──────── else ──► implementation ──► output, and a live answer
 * </pre>
 *
 * <p>Only operators with a closed set of answers take part ({@link AnswerClasses#areClosed}), and
 * only inputs of text. Nothing is reported about a document that a classifier answered: its own
 * answers would confirm themselves.
 */
public final class LearnedAnswersExecutor {

  /** The maximum number of decoded classifiers; others are decoded again. */
  private static final int MAX_CLASSIFIERS = 64;

  private final Embedder embedder;
  private final LoadingCache<TrainedClassifier, LinearClassifier> decoded =
      Caffeine.newBuilder().maximumSize(MAX_CLASSIFIERS).build(LinearClassifier::of);

  /** An executor that embeds with this model. */
  public LearnedAnswersExecutor(Embedder embedder) {
    this.embedder = embedder;
  }

  /**
   * How one live document learns.
   *
   * @param source identifies it: {@code topic-partition@offset}
   * @param draw by operator: a number in [0, 1), the same whenever the document is processed
   * @param reached by operator: {@link LiveAnswer#reached}
   * @param answers receives what implementations answered; called by any thread
   */
  public record LiveDocument(
      String source,
      ToDoubleFunction<String> draw,
      Function<String, @Nullable Boolean> reached,
      Consumer<LiveAnswer> answers) {}

  /** What was learnt, for the steps of a plan on one live document. */
  public OfDocument of(PhysicalPlan plan, LiveDocument live) {
    return new OfDocument(plan, live);
  }

  /** The steps of a plan on one live document, of which each text is embedded once. */
  public final class OfDocument {

    private final PhysicalPlan plan;
    private final LiveDocument live;
    private final Map<String, EmbeddingAnswer> embedded = new ConcurrentHashMap<>();

    private OfDocument(PhysicalPlan plan, LiveDocument live) {
      this.plan = plan;
      this.live = live;
    }

    /** An executor in which classifiers answer, and whose answers are reported. */
    public OperatorExecutor around(OperatorExecutor next) {
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
        if (learned != null
            && predicted != null
            && live.draw().applyAsDouble(operator.id()) >= learned.audit()) {
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
        live.answers()
            .accept(
                new LiveAnswer(
                    operator.id(),
                    question,
                    live.source(),
                    embedder.name(),
                    Evidence.encode(vector),
                    answer,
                    predicted,
                    learned == null || !audited ? 1 : learned.audit(),
                    outcome.stats().cost(),
                    live.reached().apply(operator.id())));
      }
      return outcome;
    }

    /**
     * The filters in the order of a document. It is that of the plan for a document without text,
     * if the order was learnt for other implementations or by another embedder, or if its weights
     * do not fit the embedding: every order keeps the same documents.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public List<PlanStep> ordered(List<PlanStep> filters, LearnedOrder order, Document document)
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
    if (!AnswerClasses.areClosed(operator) || isDecided(operator, document)) {
      return null;
    }
    Document input = OperatorPrompt.input(operator, document);
    for (String field : input.fieldNames()) {
      if (Media.of(input.get(field)) != null) {
        return null;
      }
    }
    String text = EmbeddingFeatures.text(input);
    return text.isEmpty() ? null : text;
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
    Map<String, JsonNode> fields = new HashMap<>();
    said.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
    Document written = document;
    for (Field field : map.writes()) {
      JsonNode value = fields.get(field.name());
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

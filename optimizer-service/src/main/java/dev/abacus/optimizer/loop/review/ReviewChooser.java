package dev.abacus.optimizer.loop.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.optimizer.loop.event.ExampleIds;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ReviewRequest;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticMap;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses documents to ask labels for: of the copies of live documents without a label that the
 * search has sampled, those with the largest {@link LabelValue}. Copies are drawn without regard to
 * their answers.
 *
 * <p>A quarter of the documents, drawn by hash, is never chosen by value, only in the order of the
 * hash. So these are a random sample of the stream, whatever the others are, and their labels count
 * like any other.
 */
public record ReviewChooser(ProgramSnapshot view) {

  /** One in so many documents, and requests, is random. */
  private static final int RANDOM_ONE_IN = 4;

  /** The active implementation and the best others; those far behind decide nothing. */
  private static final int MOST_COMPETING = 4;

  private static final String AT_RANDOM = "drawn at random, to estimate quality";

  /** A request about an example. */
  public record Asked(String exampleId, ReviewRequest request) {}

  private record Question(
      LogicalOperator operator, String exampleId, List<LabelValue.Answer> answers, double value) {}

  /**
   * Chooses documents.
   *
   * @param most number of requests
   * @param before number of earlier requests
   * @param isAsked whether a label was asked for the example before
   * @param expires time from which the labels are not waited for
   */
  public List<Asked> choose(
      int most, int before, Predicate<String> isAsked, Instant now, Instant expires) {
    Deque<Question> random = new ArrayDeque<>();
    Deque<Question> valued = new ArrayDeque<>();
    List<Question> questions = questions(isAsked);
    questions.stream()
        .filter(question -> isRandom(question.exampleId()))
        .sorted(Comparator.comparingLong(question -> hash(question.exampleId())))
        .forEach(random::add);
    questions.stream()
        .filter(question -> !isRandom(question.exampleId()) && question.value() > 0)
        .sorted(
            Comparator.comparingDouble((Question question) -> -question.value())
                .thenComparingLong(question -> hash(question.exampleId())))
        .forEach(valued::add);
    List<Asked> asked = new ArrayList<>();
    while (asked.size() < most && !(random.isEmpty() && valued.isEmpty())) {
      boolean due = (before + asked.size()) % RANDOM_ONE_IN == 0;
      Deque<Question> from = valued.isEmpty() || (due && !random.isEmpty()) ? random : valued;
      Question next = from.remove();
      asked.add(request(next, isRandom(next.exampleId()), now, expires));
    }
    return asked;
  }

  private static long hash(String exampleId) {
    return SeededHash.of(0, "review\n" + exampleId);
  }

  /** Bits of the hash that do not order the documents. */
  private static boolean isRandom(String exampleId) {
    return Math.floorMod(hash(exampleId), RANDOM_ONE_IN) == 0;
  }

  /** A question about each document that may be asked about: the best one, or a random one. */
  private List<Question> questions(Predicate<String> isAsked) {
    Map<String, Question> best = new LinkedHashMap<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      if (operator.decides() || operator instanceof SemanticMap) {
        List<String> competing = competing(operator);
        LabelValue value = new LabelValue(keptShare(operator, competing));
        for (ValidationExample example : view.examples()) {
          if (ExampleIds.isCopy(example.id())
              && example.labels().isEmpty()
              && !isAsked.test(example.id())) {
            List<LabelValue.Answer> answers = answers(operator, competing, example.id());
            if (!answers.isEmpty()) {
              best.merge(
                  example.id(),
                  new Question(
                      operator,
                      example.id(),
                      answers,
                      isRandom(example.id())
                          ? hash(example.id() + "\n" + operator.id())
                          : value.of(answers)),
                  (one, other) -> other.value() > one.value() ? other : one);
            }
          }
        }
      }
    }
    return List.copyOf(best.values());
  }

  private List<String> competing(LogicalOperator operator) {
    return Stream.concat(
            Stream.ofNullable(view.definition().implementations().get(operator.id())),
            view.sampled(operator).armsByQuality().stream().map(PhysicalOperator::id))
        .distinct()
        .limit(MOST_COMPETING)
        .toList();
  }

  /** The share that competing implementations keep; null if all decisions count the same. */
  private @Nullable Double keptShare(LogicalOperator operator, List<String> competing) {
    if (!operator.decides() || view.sampled(operator).isMean()) {
      return null;
    }
    double kept = 1;
    double all = 2;
    for (ValidationExample example : view.examples()) {
      for (LabelValue.Answer answer : answers(operator, competing, example.id())) {
        kept += answer.output().equals(BooleanNode.TRUE) ? 1 : 0;
        all++;
      }
    }
    return kept / all;
  }

  private List<LabelValue.Answer> answers(
      LogicalOperator operator, List<String> competing, String exampleId) {
    Map<String, Map<String, Sample>> samples = view.sampled(operator).byArm();
    List<LabelValue.Answer> answers = new ArrayList<>();
    for (String implementation : competing) {
      if (samples.getOrDefault(implementation, Map.of()).get(exampleId)
          instanceof Sample.Observed(Observation seen)) {
        JsonNode output = output(operator, seen);
        if (output != null) {
          answers.add(new LabelValue.Answer(implementation, output, seen.quality()));
        }
      }
    }
    return answers;
  }

  /** What an implementation answered; null if it failed. */
  private static @Nullable JsonNode output(LogicalOperator operator, Observation seen) {
    return switch (seen.outcome()) {
      case KEPT ->
          operator.decides()
              ? BooleanNode.TRUE
              : seen.outputs().isEmpty()
                  ? null
                  : seen.outputs().getFirst().only(operator.writtenFields()).toJson();
      case DROPPED -> operator.decides() ? BooleanNode.FALSE : null;
      case EMBEDDED, FAILED, UNAVAILABLE -> null;
    };
  }

  private Asked request(Question question, boolean random, Instant now, Instant expires) {
    LogicalOperator operator = question.operator();
    SampleTask task =
        Objects.requireNonNull(view.sampled(operator).firstTask(question.exampleId()));
    List<String> read = operator.seenByModel();
    Document shown = read.isEmpty() ? task.input() : task.input().only(read);
    Map<JsonNode, List<String>> by = new LinkedHashMap<>();
    for (LabelValue.Answer answer : question.answers()) {
      by.computeIfAbsent(answer.output(), _ -> new ArrayList<>()).add(answer.implementation());
    }
    List<ReviewRequest.Answer> answers =
        by.entrySet().stream()
            .map(answer -> new ReviewRequest.Answer(answer.getKey(), answer.getValue()))
            .toList();
    return new Asked(
        question.exampleId(),
        new ReviewRequest(
            operator, shown, answers, random ? AT_RANDOM : why(answers), random, now, expires));
  }

  private static String why(List<ReviewRequest.Answer> answers) {
    return "implementations disagree: %d different answers of %d"
        .formatted(
            answers.size(),
            answers.stream().mapToInt(answer -> answer.implementations().size()).sum());
  }
}

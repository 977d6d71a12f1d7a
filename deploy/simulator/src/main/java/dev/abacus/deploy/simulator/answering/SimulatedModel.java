package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.answering.EvidenceLocator.BatchPosition;
import dev.abacus.deploy.simulator.prompt.FieldShape;
import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.prompt.PromptInjection;
import dev.abacus.deploy.simulator.skill.KeyedRandom;
import dev.abacus.deploy.simulator.skill.RandomEffects;
import dev.abacus.deploy.simulator.skill.Skill;
import dev.abacus.deploy.simulator.skill.Skill.CallConditions;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import dev.abacus.deploy.simulator.truth.KnownDocument;
import dev.abacus.deploy.simulator.truth.KnownDocuments;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Answers prompts as a model of some skill. It uses the ground truth only through {@link
 * EvidenceLocator}: a value that the prompt does not show comes out right only by chance.
 *
 * @param documents the documents with ground truth
 * @param seed seed of all random effects
 */
public record SimulatedModel(KnownDocuments documents, long seed) {

  private static final String NO_DOCUMENT = "";

  private static final Pattern SPACE = Pattern.compile(" ");

  /** Of the 150 words that a prompt allows at most. */
  private static final int WORDS_OF_REASONS = 80;

  /**
   * The model of a call and its sampling parameters.
   *
   * @param skill of the model
   * @param ordinal how many times the same prompt was answered before
   * @param promptTokens length of the prompt in tokens
   * @param constrained whether the endpoint enforces the schema, so that no format errors occur
   */
  public record Invocation(
      Skill skill, double temperature, int ordinal, int promptTokens, boolean constrained) {}

  /**
   * The answers to the questions of a task.
   *
   * @param thinking difficulty of the task in [0, 1]
   */
  record TaskAnswer(List<FieldAnswer> fields, double thinking) {}

  /** Answers a prompt. */
  public Answer answer(Prompt prompt, Task task, Invocation invocation) {
    if (task.kind() == Task.Kind.TEXT) {
      return text(prompt);
    }
    TaskAnswer answer =
        switch (task.kind()) {
          case BATCH -> new BatchAnswerer(this).answer(prompt, task, invocation);
          case MATCHES -> new ItemMatcher(this).answer(prompt, task, invocation);
          default -> answerOne(prompt, task, invocation, BatchPosition.SINGLE, 1);
        };
    return write(answer, prompt, task, invocation);
  }

  /**
   * Answers the questions about one document or pair, which may be one of several in its prompt.
   *
   * @param together number of documents or pairs in the prompt
   */
  TaskAnswer answerOne(
      Prompt prompt, Task task, Invocation invocation, BatchPosition position, int together) {
    RandomEffects effects = effects(invocation);
    int fields = Math.max(task.properties().size(), prompt.fields().size());
    int asked = Math.max(1, Math.max(fields, prompt.conditions().size())) * together;
    ModelCall call =
        new ModelCall(
            prompt,
            documents,
            invocation.skill(),
            effects,
            new CallConditions(asked, invocation.promptTokens(), 0.5, invocation.temperature()),
            new EvidenceLocator(prompt.document().collapsed(), effects, position));
    QuotedTruth truths =
        new QuotedTruth(documents.find(prompt.document().texts()), prompt.document());
    List<FieldAnswer> answers = injected(call, task);
    if (answers.isEmpty()) {
      answers = answers(call, task, truths);
    }
    String reasoning = task.reasoning();
    if (reasoning != null) {
      answers = new ArrayList<>(answers);
      answers.addFirst(new FieldAnswer(reasoning, reasons(prompt), 0.9));
    }
    return new TaskAnswer(answers, thinking(truths, task));
  }

  /** A text of about {@value #WORDS_OF_REASONS} words; what it says has no effect. */
  private static JsonNode reasons(Prompt prompt) {
    String words =
        SPACE
            .splitAsStream(prompt.document().collapsed())
            .limit(WORDS_OF_REASONS)
            .collect(Collectors.joining(" "));
    return JsonNodeFactory.instance.textNode("The document says: " + words);
  }

  RandomEffects effects(Invocation invocation) {
    return new RandomEffects(
        seed,
        invocation.skill().formula(),
        invocation.skill().model().name(),
        invocation.temperature(),
        invocation.ordinal());
  }

  private Answer text(Prompt prompt) {
    String words = filler(prompt).fill("text", FieldShape.ofWords("text")).asText();
    return new Answer("Simulated answer: " + words, List.of(), KnownDocument.USUAL_DIFFICULTY);
  }

  /** The answer that an instruction inside the document demands, if the model obeys it; or none. */
  private static List<FieldAnswer> injected(ModelCall call, Task task) {
    @Nullable PromptInjection injection = PromptInjection.in(call.prompt());
    if (injection == null || injection.payload().isEmpty()) {
      return List.of();
    }
    KeyedRandom draw = call.effects().draw("obey", call.section(), injection.payload());
    if (draw.uniform() >= call.skill().obedience(injection.fenced())) {
      return List.of();
    }
    JsonNode payload = JsonNodeFactory.instance.textNode(injection.payload());
    return task.answers(0.9, (_, _) -> payload);
  }

  private List<FieldAnswer> answers(ModelCall call, Task task, QuotedTruth truths) {
    TaskQuestions questions = new TaskQuestions(call.prompt(), task, truths);
    FieldAnswerer fields = FieldAnswerer.of(call, filler(call.prompt()));
    return switch (task.kind()) {
      case MAP -> fields.answer(questions.fields());
      case MAP_MANY -> fields.answer(questions.lists());
      case DECISION -> fields.answer(questions.decision());
      case GRADE, ORDER, COMPARISON, CHOICE -> new Ranker(call, truths).answer(task);
      case JUDGEMENT -> judge(call, task, questions, truths);
      case CRITIQUE ->
          texts(task, List.of(new Critic(call).critique(questions.reviewed(), questions.draft())));
      case GAPS ->
          texts(task, new GapChecker(call).missing(questions.reviewed(), questions.draft()));
      case EXTRACT -> texts(task, new Extractor(call).passages(questions.reviewed()));
      case BATCH, MATCHES, TEXT -> List.of();
    };
  }

  private List<FieldAnswer> judge(
      ModelCall call, Task task, TaskQuestions questions, QuotedTruth truths) {
    JsonNode output = questions.output();
    Judge judge = new Judge(call);
    Double order = judge.order(truths);
    double score = order == null ? judge.score(questions.judged(output), output) : order;
    SchemaFiller filler = filler(call.prompt());
    return task.answers(
        0.9,
        (name, shape) ->
            shape.type() == FieldShape.Type.NUMBER || shape.type() == FieldShape.Type.INTEGER
                ? JsonNodeFactory.instance.numberNode(score)
                : filler.fill(name, shape));
  }

  /** The same texts in every property: a list of them, or one text with a line for each. */
  private static List<FieldAnswer> texts(Task task, List<String> texts) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    texts.forEach(list::add);
    JsonNode lines = JsonNodeFactory.instance.textNode(String.join("\n", texts));
    return task.answers(0.9, (_, shape) -> shape.type() == FieldShape.Type.ARRAY ? list : lines);
  }

  private Answer write(TaskAnswer answer, Prompt prompt, Task task, Invocation invocation) {
    KeyedRandom draw = effects(invocation).draw("format", prompt.text(), NO_DOCUMENT);
    double errorRate = invocation.skill().formatErrorRate(task.schema(), prompt.repair());
    return !invocation.constrained() && draw.uniform() < errorRate
        ? AnswerWriter.malformed(answer.fields(), answer.thinking(), draw)
        : AnswerWriter.write(answer.fields(), answer.thinking());
  }

  private SchemaFiller filler(Prompt prompt) {
    return new SchemaFiller(seed, prompt.document().collapsed());
  }

  private static double thinking(QuotedTruth truths, Task task) {
    return truths.fields(task.properties().keySet()).stream()
        .mapToDouble(GroundTruth::difficulty)
        .average()
        .orElse(KnownDocument.USUAL_DIFFICULTY);
  }
}

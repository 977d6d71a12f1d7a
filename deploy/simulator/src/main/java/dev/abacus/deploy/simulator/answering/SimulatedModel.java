package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.answering.EvidenceLocator.Place;
import dev.abacus.deploy.simulator.prompt.FieldShape;
import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.prompt.Prompt.RequestedField;
import dev.abacus.deploy.simulator.prompt.PromptInjection;
import dev.abacus.deploy.simulator.skill.KeyedRandom;
import dev.abacus.deploy.simulator.skill.RandomEffects;
import dev.abacus.deploy.simulator.skill.Skill;
import dev.abacus.deploy.simulator.skill.Skill.CallConditions;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import dev.abacus.deploy.simulator.truth.KnownDocument;
import dev.abacus.deploy.simulator.truth.KnownDocuments;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A model reads a prompt and answers. It knows the truth only through {@link EvidenceLocator}: what
 * the prompt does not show cannot come out right, except by guessing.
 */
public final class SimulatedModel {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NO_DOCUMENT = "";
  private static final String OUTPUTS = "outputs";

  private final KnownDocuments answers;
  private final long seed;

  /**
   * Fixes what all models know.
   *
   * @param seed another seed is another world of lucky and unlucky documents
   */
  public SimulatedModel(KnownDocuments answers, long seed) {
    this.answers = answers;
    this.seed = seed;
  }

  /**
   * Who reads, and how.
   *
   * @param skill of the model
   * @param temperature of the call
   * @param ordinal how many times the same prompt was read before
   * @param promptTokens length of the prompt
   */
  public record Call(Skill skill, double temperature, int ordinal, int promptTokens) {}

  /** KnownDocuments a prompt. */
  public Answer read(Prompt prompt, Task task, Call call) {
    if (task.kind() == Task.Kind.TEXT) {
      return text(prompt);
    }
    Said said =
        task.kind() == Task.Kind.BATCH
            ? new BatchAnswerer(this).say(prompt, task, call)
            : say(prompt, task, call, Place.ALONE);
    return write(said, prompt, task, call);
  }

  /**
   * What is said to one document's questions.
   *
   * @param thinking difficulty of the task, 0..1
   */
  record Said(List<FieldAnswer> answers, double thinking) {}

  /** KnownDocuments the questions about one document, be it one of several in its prompt. */
  Said say(Prompt prompt, Task task, Call call, Place place) {
    RandomEffects luck = luck(call);
    int fields = Math.max(task.properties().size(), prompt.fields().size());
    int asked = Math.max(1, Math.max(fields, prompt.conditions().size())) * place.of();
    ModelCall scene =
        new ModelCall(
            prompt,
            answers,
            call.skill(),
            luck,
            new CallConditions(asked, call.promptTokens(), 0.5, call.temperature()),
            new EvidenceLocator(prompt.document().collapsed(), luck, place));
    QuotedTruth truths =
        new QuotedTruth(answers.find(prompt.document().texts()), prompt.document());
    List<FieldAnswer> said = obey(scene, task);
    if (said.isEmpty()) {
      said = answer(scene, task, truths);
    }
    return new Said(said, thinking(truths, task));
  }

  RandomEffects luck(Call call) {
    return new RandomEffects(
        seed,
        call.skill().formula(),
        call.skill().model().name(),
        call.temperature(),
        call.ordinal());
  }

  private Answer text(Prompt prompt) {
    String words =
        new SchemaFiller(seed, prompt.document().collapsed())
            .fill("text", FieldShape.ofWords("text"))
            .asText();
    return new Answer("Simulated answer: " + words, List.of(), KnownDocument.USUAL_DIFFICULTY);
  }

  /**
   * The answer that an instruction in the document demands, if the model falls for it; else
   * nothing.
   */
  private static List<FieldAnswer> obey(ModelCall scene, Task task) {
    @Nullable PromptInjection injection = PromptInjection.in(scene.prompt());
    if (injection == null || injection.payload().isEmpty()) {
      return List.of();
    }
    KeyedRandom draw = scene.luck().draw("obey", scene.section(), injection.payload());
    if (draw.uniform() >= scene.skill().obedience(injection.fenced())) {
      return List.of();
    }
    JsonNode payload = JsonNodeFactory.instance.textNode(injection.payload());
    List<FieldAnswer> obedient = new ArrayList<>();
    task.properties()
        .forEach((name, shape) ->
            obedient.add(new FieldAnswer(name, SchemaCoercion.fit(payload, shape), 0.9)));
    return obedient;
  }

  private List<FieldAnswer> answer(ModelCall scene, Task task, QuotedTruth truths) {
    return switch (task.kind()) {
      case MAP -> fill(scene, questions(task, name -> truths.field(name)));
      case MAP_MANY -> fill(scene, questions(task, name -> items(task, name, truths)));
      case DECISION -> fill(scene, decision(scene.prompt(), task, truths));
      case JUDGEMENT -> judge(scene, task, truths);
      case CRITIQUE -> criticise(scene, task, truths);
      case GAPS ->
          texts(task, new GapChecker(scene).missing(reviewed(scene, task, truths), draft(scene)));
      case EXTRACT -> texts(task, new Extractor(scene).passages(reviewed(scene, task, truths)));
      case BATCH, TEXT -> List.of();
    };
  }

  /** Finds the truth that belongs to a property. */
  private interface TruthOf {
    @Nullable GroundTruth find(String property);
  }

  private static List<Question> questions(Task task, TruthOf truths) {
    List<Question> questions = new ArrayList<>();
    task.properties()
        .forEach((name, shape) -> questions.add(new Question(name, shape, truths.find(name))));
    return questions;
  }

  private static @Nullable GroundTruth items(Task task, String property, QuotedTruth truths) {
    FieldShape shape = task.properties().get(property);
    FieldShape items = shape == null ? null : shape.items();
    return items == null ? truths.field(property) : truths.items(items.properties().keySet());
  }

  private static List<Question> decision(Prompt prompt, Task task, QuotedTruth truths) {
    List<Question> questions = new ArrayList<>();
    boolean decided = false;
    for (Map.Entry<String, FieldShape> property : task.properties().entrySet()) {
      boolean decides = !decided && property.getValue().type() == FieldShape.Type.BOOLEAN;
      List<GroundTruth> conditions = decides ? truths.conditions(prompt.conditions()) : List.of();
      questions.add(
          conditions.size() < 2
              ? new Question(
                  property.getKey(),
                  property.getValue(),
                  conditions.isEmpty() ? null : conditions.getFirst())
              : new Question(
                  property.getKey(),
                  property.getValue(),
                  GroundTruth.conjunction(conditions),
                  conditions));
      decided |= decides;
    }
    return questions;
  }

  private List<FieldAnswer> fill(ModelCall scene, List<Question> questions) {
    Prompt prompt = scene.prompt();
    AnswerGenerator generator = new AnswerGenerator(scene, "answer", 0);
    List<JsonNode> proposals =
        prompt.proposals().stream().map(SimulatedModel::parse).filter(JsonNode::isObject).toList();
    JsonNode draft =
        prompt.draft() == null ? JsonNodeFactory.instance.missingNode() : parse(prompt.draft());
    SchemaFiller filler = new SchemaFiller(seed, prompt.document().collapsed());
    List<FieldAnswer> said = new ArrayList<>();
    boolean merges = !prompt.parts().isEmpty() && prompt.document().texts().isEmpty();
    Merger merger = new Merger(scene, prompt.parts().stream().map(SimulatedModel::parse).toList());
    for (Question question : questions) {
      @Nullable GroundTruth truth = question.truth();
      if (merges) {
        said.add(merger.answer(question));
      } else if (truth == null) {
        said.add(
            new FieldAnswer(question.name(), unknown(question, proposals, draft, filler), 0.9));
      } else if (!proposals.isEmpty()) {
        said.add(new Aggregator(scene, proposals).answer(question, truth));
      } else if (draft.isObject()) {
        String objections = prompt.critique() != null ? prompt.critique() : prompt.missing();
        said.add(new Refiner(scene, draft, objections).answer(question, truth));
      } else {
        said.add(generator.answer(question, truth));
      }
    }
    return said;
  }

  /** Nothing is known: what the prompt proposes, or anything that fits. */
  private static JsonNode unknown(
      Question question, List<JsonNode> proposals, JsonNode draft, SchemaFiller filler) {
    JsonNode given =
        proposals.isEmpty()
            ? draft.path(question.name())
            : proposals.getFirst().path(question.name());
    return given.isMissingNode()
        ? filler.fill(question.name(), question.shape())
        : SchemaCoercion.fit(given, question.shape());
  }

  private List<FieldAnswer> judge(ModelCall scene, Task task, QuotedTruth truths) {
    JsonNode output =
        scene.prompt().output() == null
            ? JsonNodeFactory.instance.objectNode()
            : parse(scene.prompt().output());
    List<GroundTruth> known = new ArrayList<>(truths.fields(asked(scene.prompt(), output)));
    if (scene.prompt().condition() != null) {
      List<GroundTruth> conditions = truths.conditions(scene.prompt().conditions());
      known.addAll(
          conditions.size() < 2 ? conditions : List.of(GroundTruth.conjunction(conditions)));
    }
    double score = new Judge(scene).score(known, output);
    SchemaFiller filler = new SchemaFiller(seed, scene.section());
    List<FieldAnswer> said = new ArrayList<>();
    task.properties()
        .forEach((name, shape) -> {
          boolean number =
              shape.type() == FieldShape.Type.NUMBER || shape.type() == FieldShape.Type.INTEGER;
          JsonNode value =
              number
                  ? SchemaCoercion.fit(JsonNodeFactory.instance.numberNode(score), shape)
                  : filler.fill(name, shape);
          said.add(new FieldAnswer(name, value, 0.9));
        });
    return said;
  }

  private static Collection<String> asked(Prompt prompt, JsonNode output) {
    if (!prompt.fields().isEmpty()) {
      return prompt.fields().stream().map(RequestedField::name).toList();
    }
    return output.properties().stream().map(Map.Entry::getKey).toList();
  }

  private static JsonNode draft(ModelCall scene) {
    String draft = scene.prompt().draft();
    return draft == null ? JsonNodeFactory.instance.objectNode() : parse(draft);
  }

  private static List<FieldAnswer> criticise(ModelCall scene, Task task, QuotedTruth truths) {
    JsonNode draft = draft(scene);
    String critique = new Critic(scene).critique(reviewed(scene, task, truths), draft);
    return texts(task, List.of(critique));
  }

  /** What a draft, or a copy of passages, is about: the questions behind it. */
  private static List<Question> reviewed(ModelCall scene, Task task, QuotedTruth truths) {
    JsonNode draft = draft(scene);
    Prompt prompt = scene.prompt();
    List<Question> questions = new ArrayList<>();
    FieldShape text = FieldShape.ofWords("string");
    if (prompt.condition() != null) {
      String name = draft.isEmpty() ? "satisfied" : draft.fieldNames().next();
      List<GroundTruth> conditions = truths.conditions(prompt.conditions());
      if (task.kind() == Task.Kind.EXTRACT) {
        conditions.forEach(truth -> questions.add(new Question(name, text, truth)));
      } else if (!conditions.isEmpty()) {
        questions.add(new Question(name, text, GroundTruth.conjunction(conditions)));
      }
    } else if (draft.has(OUTPUTS)) {
      List<String> names = prompt.fields().stream().map(RequestedField::name).toList();
      questions.add(new Question(OUTPUTS, text, truths.items(names)));
    } else {
      asked(prompt, draft)
          .forEach(name -> questions.add(new Question(name, text, truths.field(name))));
    }
    return questions;
  }

  /** The same texts in every property, as its type takes them. */
  private static List<FieldAnswer> texts(Task task, List<String> texts) {
    List<FieldAnswer> said = new ArrayList<>();
    for (Map.Entry<String, FieldShape> property : task.properties().entrySet()) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      texts.forEach(list::add);
      boolean one = property.getValue().type() != FieldShape.Type.ARRAY;
      JsonNode value = one ? JsonNodeFactory.instance.textNode(String.join("\n", texts)) : list;
      said.add(
          new FieldAnswer(property.getKey(), SchemaCoercion.fit(value, property.getValue()), 0.9));
    }
    return said;
  }

  private Answer write(Said said, Prompt prompt, Task task, Call call) {
    KeyedRandom draw = luck(call).draw("format", prompt.text(), NO_DOCUMENT);
    boolean spoilt = draw.uniform() < call.skill().formatErrorRate(task.schema(), prompt.repair());
    return spoilt
        ? AnswerWriter.spoil(said.answers(), said.thinking(), draw)
        : AnswerWriter.write(said.answers(), said.thinking());
  }

  private static double thinking(QuotedTruth truths, Task task) {
    return truths.fields(task.properties().keySet()).stream()
        .mapToDouble(GroundTruth::difficulty)
        .average()
        .orElse(KnownDocument.USUAL_DIFFICULTY);
  }

  /** Reads JSON, tolerating prose or a fence around it. */
  private static JsonNode parse(String text) {
    int from = text.indexOf('{');
    int to = text.lastIndexOf('}');
    try {
      return JSON.readTree(from >= 0 && to > from ? text.substring(from, to + 1) : text);
    } catch (JsonProcessingException e) {
      return JsonNodeFactory.instance.missingNode();
    }
  }
}

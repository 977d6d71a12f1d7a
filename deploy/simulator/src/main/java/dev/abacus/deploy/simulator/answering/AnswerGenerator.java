package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.answering.EvidenceLocator.EvidenceMatch;
import dev.abacus.deploy.simulator.skill.KeyedRandom;
import dev.abacus.deploy.simulator.skill.Skill;
import dev.abacus.deploy.simulator.skill.Skill.TaskKind;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import dev.abacus.deploy.simulator.truth.TextNormalizer;

/** Answers from the document alone. */
final class AnswerGenerator {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Chances to see something in a list that is not there. */
  private static final int INTRUDERS = 2;

  /** How much easier it is to confirm what a draft says than to find it, log-odds. */
  private static final double CONFIRMING = 1.5;

  private final ModelCall scene;
  private final ErrorGenerator mistakes;
  private final String role;
  private final double bonus;

  /**
   * Fixes how the answers are given.
   *
   * @param role names the luck: a second look has another luck than the first
   * @param bonus added to the margin, log-odds
   */
  AnswerGenerator(ModelCall scene, String role, double bonus) {
    this.scene = scene;
    this.mistakes = new ErrorGenerator(scene);
    this.role = role;
    this.bonus = bonus;
  }

  /** Answers one question whose truth is known. */
  FieldAnswer answer(Question question, GroundTruth truth) {
    if (!question.conjuncts().isEmpty()) {
      return conjunction(question);
    }
    if (truth.value().isArray()) {
      return list(question, truth);
    }
    return truth.value().isBoolean() ? decision(question, truth) : value(question, truth);
  }

  /** The margin plus luck of finding the value, or the n-th item. */
  double latent(GroundTruth truth, EvidenceMatch sight, String item) {
    return bonus
        + scene.skill().margin(kind(truth), truth.difficulty(), scene.where().at(sight.position()))
        + scene.luck().of(role, truth.document(), truth.key(), item);
  }

  /** Whether an item of a drafted list stands a second look. To confirm is easier than to find. */
  boolean confirms(GroundTruth truth, JsonNode drafted) {
    for (int i = 0; i < truth.value().size(); i++) {
      if (AnswerSimilarity.same(truth.value().get(i), drafted)) {
        EvidenceMatch sight = scene.eyes().look(truth, i);
        return sight.visible() && latent(truth, sight, TextNormalizer.of(drafted)) + CONFIRMING > 0;
      }
    }
    return precision(truth, TextNormalizer.of(drafted)) < 0;
  }

  private double precision(GroundTruth truth, String item) {
    return bonus
        + scene.skill().precisionMargin(kind(truth), truth.difficulty(), scene.where())
        + scene.luck().of(role + " precision", truth.document(), truth.key(), item);
  }

  private static TaskKind kind(GroundTruth truth) {
    if (truth.value().isBoolean()) {
      return TaskKind.FILTER;
    }
    boolean stands = truth.value().isArray() || truth.absent() || !truth.spansOf(0).isEmpty();
    return stands ? TaskKind.EXTRACT : TaskKind.CLASSIFY;
  }

  private FieldAnswer value(Question question, GroundTruth truth) {
    if (truth.absent()) {
      return missing(question, truth);
    }
    EvidenceMatch sight = scene.eyes().look(truth, 0);
    if (!sight.visible()) {
      return missing(question, truth);
    }
    double latent = latent(truth, sight, "");
    boolean named =
        !truth.value().isTextual() || mistakes.canBeNamed(question, truth.value().textValue());
    JsonNode value =
        latent > 0 && named
            ? copied(question, truth, truth.value(), sight)
            : mistakes.instead(question, truth.value(), sight.position(), role, truth.document());
    return new FieldAnswer(question.name(), value, Skill.probability(Math.abs(latent)));
  }

  /**
   * Nothing to be found, or nothing to be seen of it: either that is noticed, or something is made
   * up.
   */
  private FieldAnswer missing(Question question, GroundTruth truth) {
    double latent = precision(truth, "");
    boolean mustGuess = !question.shape().nullable() && !question.shape().choices().isEmpty();
    JsonNode value =
        latent > 0 && !mustGuess
            ? SchemaCoercion.nothing(question.shape())
            : mistakes.instead(
                question, truth.value(), guessedPlace(truth), role, truth.document());
    return new FieldAnswer(
        question.name(), value, Skill.probability(mustGuess ? 0 : Math.abs(latent)));
  }

  private double guessedPlace(GroundTruth truth) {
    return scene.luck().common("place", truth.document(), truth.key()).uniform();
  }

  /**
   * What is true must be seen; what is not true needs to be seen only if the file says what shows
   * it.
   */
  private FieldAnswer decision(Question question, GroundTruth truth) {
    boolean right = truth.value().booleanValue();
    EvidenceMatch sight = scene.eyes().look(truth, 0);
    double latent;
    boolean said;
    if (sight.visible()) {
      latent = latent(truth, sight, "");
      said = latent > 0 == right;
    } else {
      latent = precision(truth, "");
      said = latent <= 0;
    }
    JsonNode value = SchemaCoercion.fit(JSON.booleanNode(said), question.shape());
    return new FieldAnswer(question.name(), value, Skill.probability(Math.abs(latent)));
  }

  /** All conditions are decided, one by one; it is as sure as the least sure of them. */
  private FieldAnswer conjunction(Question question) {
    boolean all = true;
    double confidence = 1;
    for (GroundTruth condition : question.conjuncts()) {
      FieldAnswer one = decision(question, condition);
      all &= one.value().asBoolean();
      confidence = Math.min(confidence, one.confidence());
    }
    JsonNode value = SchemaCoercion.fit(JSON.booleanNode(all), question.shape());
    return new FieldAnswer(question.name(), value, confidence);
  }

  private FieldAnswer list(Question question, GroundTruth truth) {
    ArrayNode said = JSON.arrayNode();
    double surest = 0;
    double unsurest = Double.MAX_VALUE;
    for (int i = 0; i < truth.value().size(); i++) {
      JsonNode item = truth.value().get(i);
      EvidenceMatch sight = scene.eyes().look(truth, i);
      double latent = sight.visible() ? latent(truth, sight, TextNormalizer.of(item)) : -1;
      boolean named = !item.isTextual() || mistakes.canBeNamed(question, item.textValue());
      if (latent > 0 && named) {
        said.add(copied(question, truth, item, sight));
        unsurest = Math.min(unsurest, latent);
      }
    }
    for (int i = 0; i < INTRUDERS; i++) {
      double latent = precision(truth, "intruder " + i) + (i == 0 ? 0 : 1);
      if (latent < 0) {
        JsonNode intruder = mistakes.intruder(question, truth, role, i);
        if (!TextNormalizer.of(intruder).isEmpty() && !AnswerSimilarity.contains(said, intruder)) {
          said.add(intruder);
        }
      }
      surest = Math.max(surest, Math.abs(latent));
    }
    double confidence = Skill.probability(said.isEmpty() ? surest : Math.min(unsurest, surest));
    return new FieldAnswer(question.name(), SchemaCoercion.fit(said, question.shape()), confidence);
  }

  /**
   * A right value as it is written down: text that was seen in part, or copied carelessly, comes
   * out so.
   */
  private JsonNode copied(
      Question question, GroundTruth truth, JsonNode value, EvidenceMatch sight) {
    if (!value.isTextual() || !question.shape().choices().isEmpty()) {
      return truth.value().isArray() ? value : SchemaCoercion.fit(value, question.shape());
    }
    if (!sight.fragment().isEmpty()) {
      return JSON.textNode(sight.fragment());
    }
    String span = TextNormalizer.of(value);
    double careful = latentOfCopying(truth, sight, span);
    if (careful > 0 || !truth.verbatim().contains(span)) {
      return truth.value().isArray() ? value : SchemaCoercion.fit(value, question.shape());
    }
    KeyedRandom draw = scene.luck().draw(role + " copy", truth.document(), truth.key()).with(span);
    return JSON.textNode(mistakes.smudged(span, draw));
  }

  private double latentOfCopying(GroundTruth truth, EvidenceMatch sight, String span) {
    return scene.skill().formula().fidelityEase()
        + scene
            .skill()
            .margin(TaskKind.EXTRACT, truth.difficulty(), scene.where().at(sight.position()))
        + scene.luck().of(role + " copy", truth.document(), truth.key(), span);
  }
}

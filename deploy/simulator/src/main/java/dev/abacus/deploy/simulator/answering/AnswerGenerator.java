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

/**
 * Answers questions from the document alone.
 *
 * @param role key of the random effects, so that a second pass differs from the first
 * @param bonus added to the margin, in log-odds
 */
record AnswerGenerator(ModelCall call, String role, double bonus) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Attempts to add an item to a list that does not belong there. */
  private static final int INTRUDERS = 2;

  /** How much easier it is to confirm an item of a draft than to find it, in log-odds. */
  private static final double CONFIRMING = 1.5;

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

  private ErrorGenerator errors() {
    return new ErrorGenerator(call);
  }

  /** Margin plus random effect of finding the value or the item, in log-odds. */
  double latent(GroundTruth truth, EvidenceMatch evidence, String item) {
    return bonus + call.latent(kind(truth), truth, evidence.position(), role, item);
  }

  /** Whether a second pass confirms an item of a drafted list. */
  boolean confirms(GroundTruth truth, JsonNode drafted) {
    int item = AnswerSimilarity.indexOf(truth.value(), drafted);
    if (item < 0) {
      return precision(truth, TextNormalizer.of(drafted)) < 0;
    }
    EvidenceMatch evidence = call.locator().locate(truth, item);
    return evidence.visible()
        && latent(truth, evidence, TextNormalizer.of(drafted)) + CONFIRMING > 0;
  }

  private double precision(GroundTruth truth, String item) {
    return bonus
        + call.skill().precisionMargin(kind(truth), truth.difficulty(), call.conditions())
        + call.effects().of(role + " precision", truth.document(), truth.key(), item);
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
    EvidenceMatch evidence = call.locator().locate(truth, 0);
    if (!evidence.visible()) {
      return missing(question, truth);
    }
    double latent = latent(truth, evidence, "");
    boolean named =
        !truth.value().isTextual() || errors().canBeNamed(question, truth.value().textValue());
    JsonNode value =
        latent > 0 && named
            ? copied(question, truth, truth.value(), evidence)
            : errors()
                .instead(question, truth.value(), evidence.position(), role, truth.document());
    return new FieldAnswer(question.name(), value, Skill.probability(Math.abs(latent)));
  }

  /** The value is absent or not visible: the model either notices that or invents a value. */
  private FieldAnswer missing(Question question, GroundTruth truth) {
    double latent = precision(truth, "");
    boolean mustGuess = !question.shape().nullable() && !question.shape().choices().isEmpty();
    JsonNode value =
        latent > 0 && !mustGuess
            ? SchemaCoercion.nothing(question.shape())
            : errors()
                .instead(question, truth.value(), guessedPosition(truth), role, truth.document());
    return new FieldAnswer(
        question.name(), value, Skill.probability(mustGuess ? 0 : Math.abs(latent)));
  }

  private double guessedPosition(GroundTruth truth) {
    return call.effects().common("place", truth.document(), truth.key()).uniform();
  }

  /**
   * A condition that holds needs visible evidence; one that does not hold needs it only if the
   * answers file names evidence.
   */
  private FieldAnswer decision(Question question, GroundTruth truth) {
    boolean right = truth.value().booleanValue();
    EvidenceMatch evidence = call.locator().locate(truth, 0);
    double latent;
    boolean said;
    if (evidence.visible()) {
      latent = latent(truth, evidence, "");
      said = latent > 0 == right;
    } else {
      latent = precision(truth, "");
      said = latent <= 0;
    }
    JsonNode value = SchemaCoercion.fit(JSON.booleanNode(said), question.shape());
    return new FieldAnswer(question.name(), value, Skill.probability(Math.abs(latent)));
  }

  /** Decides every condition of a conjunction; its confidence is the lowest of them. */
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
      EvidenceMatch evidence = call.locator().locate(truth, i);
      double latent = evidence.visible() ? latent(truth, evidence, TextNormalizer.of(item)) : -1;
      boolean named = !item.isTextual() || errors().canBeNamed(question, item.textValue());
      if (latent > 0 && named) {
        said.add(copied(question, truth, item, evidence));
        unsurest = Math.min(unsurest, latent);
      }
    }
    for (int i = 0; i < INTRUDERS; i++) {
      double latent = precision(truth, "intruder " + i) + (i == 0 ? 0 : 1);
      if (latent < 0) {
        JsonNode intruder = errors().intruder(question, truth, role, i);
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
   * A right value as the model writes it: partly visible text stays partial, and text may be copied
   * inexactly.
   */
  private JsonNode copied(
      Question question, GroundTruth truth, JsonNode value, EvidenceMatch evidence) {
    if (!value.isTextual() || !question.shape().choices().isEmpty()) {
      return truth.value().isArray() ? value : SchemaCoercion.fit(value, question.shape());
    }
    if (!evidence.fragment().isEmpty()) {
      return JSON.textNode(evidence.fragment());
    }
    String span = TextNormalizer.of(value);
    double exact = copyingLatent(truth, evidence, span);
    if (exact > 0 || !truth.verbatim().contains(span)) {
      return truth.value().isArray() ? value : SchemaCoercion.fit(value, question.shape());
    }
    KeyedRandom draw =
        call.effects().draw(role + " copy", truth.document(), truth.key()).with(span);
    return JSON.textNode(errors().truncatedOrExtended(span, draw));
  }

  private double copyingLatent(GroundTruth truth, EvidenceMatch evidence, String span) {
    return call.skill().formula().fidelityEase()
        + call.latent(TaskKind.EXTRACT, truth, evidence.position(), role + " copy", span);
  }
}

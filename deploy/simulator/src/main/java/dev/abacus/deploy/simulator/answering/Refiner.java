package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import org.jspecify.annotations.Nullable;

/**
 * Repairs a draft: what the critique objects to is answered anew, with a closer look and another
 * luck (which may spoil what was right); the rest is kept, except for a slip that is glaring.
 */
final class Refiner {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String ROLE = "refine";

  /** How much harder it is to notice a mistake that nobody pointed at, log-odds. */
  private static final double UNTOLD = -3;

  private static final double UNTOLD_ALONE = -1.5;

  private final JsonNode draft;
  private final @Nullable String critique;
  private final AnswerGenerator told;
  private final AnswerGenerator untold;
  private final ModelCall scene;

  Refiner(ModelCall scene, JsonNode draft, @Nullable String critique) {
    this.scene = scene;
    this.draft = draft;
    this.critique = critique;
    this.told = new AnswerGenerator(scene, ROLE, scene.skill().formula().secondLook());
    this.untold = new AnswerGenerator(scene, ROLE, critique == null ? UNTOLD_ALONE : UNTOLD);
  }

  /** The refined answer to a question. */
  FieldAnswer answer(Question question, GroundTruth truth) {
    JsonNode drafted = draft.path(question.name());
    if (drafted.isMissingNode()) {
      return told.answer(question, truth);
    }
    if (critique != null && Critic.objects(critique, question.name())) {
      FieldAnswer again = told.answer(question, truth);
      return drafted.isArray() ? merged(question, truth, drafted, again) : again;
    }
    FieldAnswer again = untold.answer(question, truth);
    boolean seeable = truth.absent() || scene.eyes().look(truth, 0).visible();
    boolean repaired =
        seeable && !truth.value().isArray() && AnswerSimilarity.same(truth.value(), again.value());
    return repaired
        ? again
        : new FieldAnswer(question.name(), SchemaCoercion.fit(drafted, question.shape()), 0.9);
  }

  /**
   * What stands in the draft and stands the second look stays as drafted; what is found anew is
   * added.
   */
  private FieldAnswer merged(
      Question question, GroundTruth truth, JsonNode drafted, FieldAnswer again) {
    ArrayNode merged = JSON.arrayNode();
    for (JsonNode item : drafted) {
      if (told.confirms(truth, item)) {
        merged.add(item);
      }
    }
    for (JsonNode item : again.value()) {
      if (!AnswerSimilarity.contains(merged, item)) {
        merged.add(item);
      }
    }
    return new FieldAnswer(
        question.name(), SchemaCoercion.fit(merged, question.shape()), again.confidence());
  }
}

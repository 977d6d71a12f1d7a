package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import org.jspecify.annotations.Nullable;

/**
 * Refines a draft. It answers the fields that the critique objects to again, with a higher margin
 * and other random effects, which may also make a right value wrong. It keeps the other fields,
 * except for obvious mistakes.
 */
record Refiner(ModelCall call, JsonNode draft, @Nullable String critique) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String ROLE = "refine";

  /** How much harder it is to notice a mistake that the critique does not name, in log-odds. */
  private static final double NOT_NAMED = -3;

  private static final double WITHOUT_CRITIQUE = -1.5;

  /** The refined answer to a question. */
  FieldAnswer answer(Question question, GroundTruth truth) {
    JsonNode drafted = draft.path(question.name());
    if (drafted.isMissingNode()) {
      return named().answer(question, truth);
    }
    if (critique != null && Critic.objects(critique, question.name())) {
      FieldAnswer again = named().answer(question, truth);
      return drafted.isArray() ? merged(question, truth, drafted, again) : again;
    }
    FieldAnswer again = other().answer(question, truth);
    boolean visible = truth.absent() || call.locator().locate(truth, 0).visible();
    boolean repaired =
        visible && !truth.value().isArray() && AnswerSimilarity.same(truth.value(), again.value());
    return repaired
        ? again
        : new FieldAnswer(question.name(), SchemaCoercion.fit(drafted, question.shape()), 0.9);
  }

  /** A second look at what the critique names or the draft lacks. */
  private AnswerGenerator named() {
    return new AnswerGenerator(call, ROLE, call.skill().formula().secondLook());
  }

  private AnswerGenerator other() {
    return new AnswerGenerator(call, ROLE, critique == null ? WITHOUT_CRITIQUE : NOT_NAMED);
  }

  /** Keeps the items of the draft that a second pass confirms, and adds the items that it finds. */
  private FieldAnswer merged(
      Question question, GroundTruth truth, JsonNode drafted, FieldAnswer again) {
    ArrayNode merged = JSON.arrayNode();
    for (JsonNode item : drafted) {
      if (named().confirms(truth, item)) {
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

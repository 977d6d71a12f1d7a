package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.skill.Skill;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import java.util.List;

/**
 * Scores an output against what it can see of the truth, with a noise that falls with its skill.
 */
final class Judge {

  /** What a judge gives to what it cannot check. */
  private static final double UNCHECKABLE = 0.5;

  private final ModelCall scene;

  Judge(ModelCall scene) {
    this.scene = scene;
  }

  /** A score from 0 to 1 in steps of a hundredth. */
  double score(List<GroundTruth> truths, JsonNode output) {
    double sum = 0;
    for (GroundTruth truth : truths) {
      sum +=
          quality(
              truth,
              truth.value().isBoolean() ? decision(truth, output) : output.path(truth.key()));
    }
    double quality = truths.isEmpty() ? UNCHECKABLE : sum / truths.size();
    Skill skill = scene.skill();
    double spread = skill.formula().judgeNoise() * (1 - skill.strength());
    String document = truths.isEmpty() ? scene.section() : truths.getFirst().document();
    double noise = scene.luck().draw("judge", document, output.toString()).normal() * spread;
    return Math.round(Math.clamp(quality + noise, 0, 1) * 100) / 100.0;
  }

  private double quality(GroundTruth truth, JsonNode said) {
    if (truth.value().isArray()) {
      return AnswerSimilarity.f1(truth.value(), said);
    }
    boolean checkable =
        truth.absent() || truth.value().isBoolean() || scene.eyes().look(truth, 0).visible();
    if (!checkable) {
      return UNCHECKABLE;
    }
    return AnswerSimilarity.same(truth.value(), said) ? 1 : 0;
  }

  /** The decision in a filter's output, whatever its key. */
  private static JsonNode decision(GroundTruth truth, JsonNode output) {
    if (output.has(truth.key()) || output.isBoolean()) {
      return output.isBoolean() ? output : output.path(truth.key());
    }
    for (JsonNode value : output) {
      if (value.isBoolean()) {
        return value;
      }
    }
    return output.path(truth.key());
  }
}

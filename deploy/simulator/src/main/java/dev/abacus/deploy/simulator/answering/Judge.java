package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.skill.Skill;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import java.util.List;

/** Scores an output against the visible ground truth, with noise that decreases with skill. */
final class Judge {

  /** Score of an output that the judge cannot check. */
  private static final double UNCHECKABLE = 0.5;

  private final ModelCall call;

  Judge(ModelCall call) {
    this.call = call;
  }

  /** A score in [0, 1], rounded to hundredths. */
  double score(List<GroundTruth> truths, JsonNode output) {
    double sum = 0;
    for (GroundTruth truth : truths) {
      sum +=
          quality(
              truth,
              truth.value().isBoolean() ? decision(truth, output) : output.path(truth.key()));
    }
    double quality = truths.isEmpty() ? UNCHECKABLE : sum / truths.size();
    Skill skill = call.skill();
    double spread = skill.formula().judgeNoise() * (1 - skill.strength());
    String document = truths.isEmpty() ? call.section() : truths.getFirst().document();
    double noise = call.effects().draw("judge", document, output.toString()).normal() * spread;
    return Math.round(Math.clamp(quality + noise, 0, 1) * 100) / 100.0;
  }

  private double quality(GroundTruth truth, JsonNode said) {
    if (truth.value().isArray()) {
      return AnswerSimilarity.f1(truth.value(), said);
    }
    boolean checkable =
        truth.absent() || truth.value().isBoolean() || call.locator().locate(truth, 0).visible();
    if (!checkable) {
      return UNCHECKABLE;
    }
    return AnswerSimilarity.same(truth.value(), said) ? 1 : 0;
  }

  /** The decision in the output of a filter, under any key. */
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

package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.skill.Skill;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Scores an output against the visible ground truth, with noise that decreases with skill. */
record Judge(ModelCall call) {

  /** Score of an output that the judge cannot check. */
  private static final double UNCHECKABLE = 0.5;

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
    return noisy(quality, truths.isEmpty() ? call.section() : truths.getFirst().document(), output);
  }

  private double noisy(double quality, String document, JsonNode output) {
    Skill skill = call.skill();
    double spread = skill.formula().judgeNoise() * (1 - skill.strength());
    double noise = call.effects().draw("judge", document, output.toString()).normal() * spread;
    return Math.round(Math.clamp(quality + noise, 0, 1) * 100) / 100.0;
  }

  /**
   * The score of the order of items in the output: its discounted cumulative gain, divided by that
   * of the best order of the items that the prompt shows. Null if the prompt asks for another score
   * or the criterion is unknown.
   */
  @Nullable Double order(QuotedTruth truths) {
    Prompt prompt = call.prompt();
    boolean asked = prompt.condition() == null && prompt.fields().isEmpty();
    GroundTruth criterion =
        asked && prompt.instruction() != null ? truths.criterion(prompt.instruction()) : null;
    if (criterion == null || prompt.output() == null) {
      return null;
    }
    JsonNode kept = TaskQuestions.parseList(prompt.output());
    double sum = 0;
    double best = 0;
    int right = truths.shown(criterion);
    for (int i = 0; i < kept.size(); i++) {
      double gain = Math.log(2) / Math.log(i + 2.0);
      String item = kept.get(i).isValueNode() ? kept.get(i).asText() : kept.get(i).toString();
      sum += QuotedTruth.meets(criterion, item) ? gain : 0;
      best += i < right ? gain : 0;
    }
    return noisy(best == 0 ? 1 : sum / best, criterion.document(), kept);
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

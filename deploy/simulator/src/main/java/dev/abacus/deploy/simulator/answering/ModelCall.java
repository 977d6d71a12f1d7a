package dev.abacus.deploy.simulator.answering;

import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.skill.RandomEffects;
import dev.abacus.deploy.simulator.skill.Skill;
import dev.abacus.deploy.simulator.skill.Skill.CallConditions;
import dev.abacus.deploy.simulator.skill.Skill.TaskKind;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import dev.abacus.deploy.simulator.truth.KnownDocuments;

/**
 * What an answer to one document depends on.
 *
 * @param documents all known documents; wrong answers take values of other documents from them
 * @param skill the ability of the model
 * @param effects the random effects on the answer
 * @param conditions what makes the call harder besides the document
 * @param locator finds evidence in the prompt
 */
record ModelCall(
    Prompt prompt,
    KnownDocuments documents,
    Skill skill,
    RandomEffects effects,
    CallConditions conditions,
    EvidenceLocator locator) {

  /**
   * How clearly the model gets something right, in log-odds: the margin of its skill plus the
   * random effects. Above 0, it gets it right.
   *
   * @param position where in the prompt the evidence is, in [0, 1]
   * @param role what the model does; each role has random effects of its own
   * @param item the item of a list, or an empty text
   */
  double latent(TaskKind kind, GroundTruth truth, double position, String role, String item) {
    return skill.margin(kind, truth.difficulty(), conditions.at(position))
        + effects.of(role, truth.document(), truth.key(), item);
  }

  /** The text of the document section, white space collapsed. */
  String section() {
    return prompt.document().collapsed();
  }
}

package dev.abacus.deploy.simulator.answering;

import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.skill.RandomEffects;
import dev.abacus.deploy.simulator.skill.Skill;
import dev.abacus.deploy.simulator.skill.Skill.CallConditions;
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

  /** The text of the document section, white space collapsed. */
  String section() {
    return prompt.document().collapsed();
  }
}

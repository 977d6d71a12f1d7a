package dev.abacus.deploy.simulator.answering;

import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.skill.RandomEffects;
import dev.abacus.deploy.simulator.skill.Skill;
import dev.abacus.deploy.simulator.skill.Skill.CallConditions;
import dev.abacus.deploy.simulator.truth.KnownDocuments;

/**
 * One call: who reads what under which circumstances.
 *
 * @param prompt what is read
 * @param answers what is true, for values that other documents have
 * @param skill who reads
 * @param luck how luckily
 * @param where the circumstances
 * @param eyes what can be seen
 */
record ModelCall(
    Prompt prompt,
    KnownDocuments answers,
    Skill skill,
    RandomEffects luck,
    CallConditions where,
    EvidenceLocator eyes) {

  String section() {
    return prompt.document().collapsed();
  }
}

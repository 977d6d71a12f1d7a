package dev.abacus.deploy.simulator.reading;

import dev.abacus.deploy.simulator.answers.Answers;
import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.skill.Circumstances;
import dev.abacus.deploy.simulator.skill.Luck;
import dev.abacus.deploy.simulator.skill.Skill;

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
record Scene(
    Prompt prompt, Answers answers, Skill skill, Luck luck, Circumstances where, Eyes eyes) {

  String section() {
    return prompt.document().collapsed();
  }
}

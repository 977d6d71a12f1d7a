/**
 * The ability and the random effects of a simulated model. Read {@link
 * dev.abacus.deploy.simulator.skill.ModelProfiles} (published properties), {@link
 * dev.abacus.deploy.simulator.skill.SkillFormula} (constants, explained in {@code models.json}),
 * {@link dev.abacus.deploy.simulator.skill.Skill} (the formula), {@link
 * dev.abacus.deploy.simulator.skill.RandomEffects} and {@link
 * dev.abacus.deploy.simulator.skill.KeyedRandom}.
 */
@NullMarked
package dev.abacus.deploy.simulator.skill;

import org.jspecify.annotations.NullMarked;

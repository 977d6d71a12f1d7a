/**
 * How good a simulated model is, and how lucky. Read {@link
 * dev.abacus.deploy.simulator.skill.ModelProfiles.ModelProfile} (what is published), {@link
 * dev.abacus.deploy.simulator.skill.SkillFormula} (the constants, explained in {@code
 * models.json}), {@link dev.abacus.deploy.simulator.skill.Skill} (the formula), then {@link
 * dev.abacus.deploy.simulator.skill.RandomEffects} and {@link
 * dev.abacus.deploy.simulator.skill.KeyedRandom} (seeded chance).
 */
@NullMarked
package dev.abacus.deploy.simulator.skill;

import org.jspecify.annotations.NullMarked;

/**
 * {@code abacus bench learning}: what is learnt from the live documents of a real stream. Reading
 * order: {@link dev.abacus.deploy.evaluation.learning.Teacher} (the answers of the simulated
 * model), {@link dev.abacus.deploy.evaluation.learning.TeacherEndpoint} (gives and counts them),
 * {@link dev.abacus.deploy.evaluation.learning.LearningCommand} and {@link
 * dev.abacus.deploy.evaluation.learning.LearningReport}.
 */
@NullMarked
package dev.abacus.deploy.evaluation.learning;

import org.jspecify.annotations.NullMarked;

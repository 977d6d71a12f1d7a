/**
 * Chooses the documents whose labels are asked for. {@link
 * dev.abacus.optimizer.loop.review.LabelValue} is what a label is worth, {@link
 * dev.abacus.optimizer.loop.review.ReviewChooser} asks for those that are worth most.
 */
@NullMarked
package dev.abacus.optimizer.loop.review;

import org.jspecify.annotations.NullMarked;

/**
 * What the data plane takes from the control topic, and what it tells. {@link
 * dev.abacus.topology.control.ControlFollower} reads the topic from the beginning and keeps one
 * {@link dev.abacus.topology.control.PlanSlot} per program, from which documents get their plan;
 * {@link dev.abacus.topology.control.StatusReporter} says on the status topic what runs.
 */
@NullMarked
package dev.abacus.topology.control;

import org.jspecify.annotations.NullMarked;
